// The numbers of simulated lanes must match those of the native program, and large crowds must run.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { Lab, NATIVE, number, unzipped } from "./lab.mjs";

const STILL = 300;

test("simulated lanes match the native program to the last digit", async () => {
    for (const settings of [
        "",
        "seed=12345&entities=300&cost-us=77&cost-spread=1.3&churn-per-s=31&requests-per-s=3.7",
        "seed=18446744073709551615&entities=120&churn-per-s=50&loop=constant-fps&loop-fps=37.3&budget-ms=0.7",
        "entities=90&requests-per-s=11&max-tasks=3&loop=max-frame-skip&step-ms=7",
    ]) {
        const lab = await Lab.open(`view=compare&still=${STILL}&${settings}`);
        const { files } = unzipped((await lab.download("d", "exported")).bytes);
        await lab.close();
        // The export names the command that prints the same numbers.
        const lines = files.get("settings.txt").toString().split("\n");
        const line = lines.find((line) => line.startsWith("timeslice-lab compare "));
        for (const pair of settings.split("&").filter(Boolean)) {
            assert.ok(`${line} `.includes(`--${pair.replace("=", " ")} `), `${pair} in ${line}`);
        }
        const flags = line.split(" ").slice(1);
        for (const [name, more] of [["compare.json", ["--json"]], ["compare.txt", []]]) {
            const { stdout } = await promisify(execFile)(NATIVE, [...flags, ...more]);
            assert.ok(stdout.length > 500);
            assert.equal(files.get(name).toString(), stdout, `${settings}: ${name}`);
        }
    }
});

test("400 and 100,000 entities all run on time", async (context) => {
    for (const entities of [400, 100_000]) {
        const lab = await Lab.open(`entities=${entities}&cost-us=0&interval-s=0.5`);
        await lab.frames(10);
        const session = await lab.context.newCDPSession(lab.page);
        await session.send("Performance.enable");
        const processorMs = async () => {
            const { metrics } = await session.send("Performance.getMetrics");
            return 1000 * metrics.find(({ name }) => name === "ProcessTime").value;
        };
        const [before, start] = [await processorMs(), Date.now()];
        const frames = await lab.frames(60);
        const [busy, passed] = [await processorMs() - before, Date.now() - start];
        const runs = frames.reduce((sum, frame) => sum + number(frame, "runs"), 0);
        const secs = frames.reduce((sum, frame) => sum + number(frame, "delta"), 0) / 1000;
        assert.ok(frames.every((frame) => number(frame, "entities") === entities));
        // Every entity runs twice per second.
        const perSecond = runs / secs / entities;
        assert.ok(perSecond > 1.8 && perSecond < 2.2, `${perSecond} runs per second`);
        const perFrame = (millis) => `${(millis / 61).toFixed(1)} ms`;
        context.diagnostic(`${entities} entities: ${perFrame(passed)} per frame, ${perFrame(busy)} of processor time`);
        await lab.close();
    }
});
