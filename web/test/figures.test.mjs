// Figures: those of simulated lanes are the computer's own to the last digit, and large crowds run.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { promisify } from "node:util";
import { Lab, number } from "./lab.mjs";

const BUILT = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../target", import.meta.url));
const NATIVE = process.env.TIMESLICE_LAB ?? `${BUILT}/release/timeslice-lab`;
/// A picture's period, by which a still goes on, in nanoseconds.
const PERIOD = 16_666_666;
const STILL = 300;

/// Every figure of every lane, as the command prints them for the time that a still takes.
async function native(flags) {
    const seconds = ((STILL * PERIOD) / 1e9).toFixed(9);
    const { stdout } = await promisify(execFile)(NATIVE, ["compare", "--json", "--seconds", seconds, ...flags]);
    return JSON.parse(stdout).lanes;
}

test("the figures of simulated lanes are those of the computer's own program, to the digit", async () => {
    for (const settings of [
        {},
        { seed: 12345, entities: 300, "cost-us": 77, "cost-spread": 1.3, "churn-per-s": 31, "requests-per-s": 3.7 },
        { seed: 7, entities: 150, "cost-us": 400, "cost-spread": 0.5, "interval-s": 0.3, groups: 7, loop: "fixed-step" },
        { seed: "18446744073709551615", entities: 120, "churn-per-s": 50, loop: "constant-fps", "loop-fps": 37.3, "budget-ms": 0.7 },
        { entities: 90, "requests-per-s": 11, "max-tasks": 3, loop: "max-frame-skip", "step-ms": 7 },
    ]) {
        const pairs = Object.entries(settings);
        const lab = await Lab.open([`view=compare&still=${STILL}`, ...pairs.map(([key, value]) => `${key}=${value}`)].join("&"));
        const told = lab.lines.filter((line) => line.what.startsWith("report "));
        const here = told.map((line) => line.what.slice("report ".length));
        const there = await native(pairs.flatMap(([key, value]) => [`--${key}`, `${value}`]));
        assert.equal(here.length, there.length);
        for (const [index, lane] of there.entries()) {
            assert.deepEqual(JSON.parse(here[index]), lane, JSON.stringify(settings));
            assert.ok(lane.frames > 100 || lane.figures?.frames > 100 || JSON.stringify(lane).length > 500, "figures of something");
        }
        await lab.close();
    }
});

test("four hundred and a hundred thousand entities run, and all of them run", async (context) => {
    for (const entities of [400, 100_000]) {
        const lab = await Lab.open(`entities=${entities}&cost-us=0&interval-s=0.5`);
        await lab.frames(10);
        const start = Date.now();
        const frames = await lab.frames(60);
        const passed = (Date.now() - start) / 61;
        const runs = frames.reduce((sum, frame) => sum + number(frame, "runs"), 0);
        const secs = frames.reduce((sum, frame) => sum + number(frame, "delta"), 0) / 1000;
        assert.ok(frames.every((frame) => number(frame, "entities") === entities));
        // Each runs twice a second.
        const perSecond = runs / secs / entities;
        assert.ok(perSecond > 1.8 && perSecond < 2.2, `${perSecond} runs a second`);
        context.diagnostic(`${entities} entities: a frame each ${passed.toFixed(1)} ms`);
        await lab.close();
    }
});
