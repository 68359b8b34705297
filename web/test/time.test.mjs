// Time: coarse clocks, waiting without sleeping, and background tabs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rounded, WATCHED } from "./clocks.mjs";
import { Lab, number, serve } from "./lab.mjs";

/// The clock's resolution in milliseconds, from the page's log.
const steps = (lab) => number(lab.lines.find((line) => line.what.startsWith("clock steps of")), "of");

test("the clock's resolution is measured at the start", async () => {
    const fine = await Lab.open("cost-us=0");
    assert.ok(steps(fine) <= 0.02, `${steps(fine)}`);
    await fine.close();
    const plain = await Lab.open("cost-us=0", { served: await serve({ isolated: false }) });
    assert.ok(Math.abs(steps(plain) - 0.1) < 0.02, `${steps(plain)}`);
    await plain.close();
    for (const millis of [1, 16.667]) {
        const lab = await Lab.open("cost-us=0", { init: rounded(millis) });
        assert.ok(Math.abs(steps(lab) - millis) < 0.01 * millis, `${steps(lab)}`);
        await lab.close();
    }
});

test("a loop that waits for deadlines does not spin", async () => {
    const lab = await Lab.open("loop=constant-fps&loop-fps=5&cost-us=0", { init: WATCHED });
    await lab.frames(2);
    const calls = () => lab.page.evaluate(() => window.took.length);
    const before = await calls();
    const start = Date.now();
    const frames = await lab.frames(10);
    const passed = Date.now() - start;
    assert.ok(frames.every((frame) => number(frame, "delta") > 50), "no frame is drawn twice");
    // Ten to eleven periods, because the first frame may have begun before `start`.
    assert.ok(passed > 1900, `${passed} ms`);
    assert.ok((await calls()) - before > 25, "the browser keeps calling");
    const busy = await lab.page.evaluate(() => window.took.reduce((sum, millis) => sum + millis, 0));
    assert.ok(busy < passed / 2, `calls take ${busy} ms of ${passed} ms: none waits for the deadline`);
    await lab.close();
});

test("frames wait for a slower display", async () => {
    const lab = await Lab.open("cost-us=0&entities=10");
    await lab.press("x", "disturbance display");
    await lab.frames(2);
    const frames = await lab.frames(10);
    const deltas = frames.map((frame) => number(frame, "delta")).sort((one, other) => one - other);
    assert.ok(deltas[1] > 30, `${deltas}`);
    await lab.close();
});

test("the lab continues after a stall", async () => {
    const lab = await Lab.open("cost-us=0&entities=10");
    await lab.press("z", "disturbance stall");
    await lab.until("a frame of 500 ms", (line) => line.what.startsWith("frame ") && number(line, "delta") >= 499);
    await lab.frames(3);
    await lab.close();
});

/// Holds back animation frames while `window.hidden` is set, as browsers do in background tabs.
const HIDEABLE = `{
    const original = window.requestAnimationFrame.bind(window);
    window.hidden_calls = [];
    window.requestAnimationFrame = (call) => original((time) => window.hidden ? window.hidden_calls.push(call) : call(time));
    window.unhide = () => {
        window.hidden = false;
        window.hidden_calls.splice(0).forEach((call) => window.requestAnimationFrame(call));
    };
}`;

test("a hidden page pauses and then continues", async () => {
    for (const query of ["loop=fixed-step", "loop=constant-fps&loop-fps=10"]) {
        const lab = await Lab.open(`cost-us=0&entities=10&${query}`, { init: HIDEABLE });
        await lab.frames(3);
        await lab.page.evaluate(() => (window.hidden = true));
        await lab.page.waitForTimeout(300);
        const before = lab.lines.length;
        await lab.page.waitForTimeout(1500);
        assert.equal(lab.lines.length, before, "a hidden page logs nothing");
        await lab.page.evaluate(() => window.unhide());
        await lab.frames(4);
        const after = lab.lines.slice(before);
        const left = after.find((line) => line.what.startsWith("left out"));
        assert.ok(left && number(left, "out") > 1000, after.map((line) => line.what).join("\n"));
        const deltas = after.filter((line) => line.what.startsWith("frame ")).map((line) => number(line, "delta"));
        assert.ok(deltas.every((delta) => delta < 1000), `${query}: ${deltas}`);
        await lab.close();
    }
});
