// Touch: taps and drags work, and never scroll or zoom the page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LOOPS, Lab, STRATEGIES, number } from "./lab.mjs";

const TOUCH = { hasTouch: true, isMobile: true, viewport: { width: 900, height: 600 }, deviceScaleFactor: 1.5 };

async function assertNotScrolled(lab) {
    const [x, y, scale] = await lab.page.evaluate(() => [window.scrollX, window.scrollY, visualViewport.scale]);
    assert.deepEqual([x, y, scale], [0, 0, 1]);
}

test("taps work buttons and tabs", async () => {
    const lab = await Lab.open("cost-us=0", TOUCH);
    for (const [control, words] of [
        ["tab:every-frame", "strategy every-frame"],
        ["button:Space", "paused"],
        ["button:Space", "running"],
        ["button:F", "panels hidden"],
        ["button:F", "panels shown"],
        ["view:⇧W", "view compare"],
        ["view:⇧Q", "view grid"],
    ]) {
        await lab.touch([lab.middle(control)]);
        await lab.until(words);
        await lab.pictures();
    }
    await assertNotScrolled(lab);
    await lab.close();
});

test("a finger drags a slider", async () => {
    const lab = await Lab.open("cost-us=0", TOUCH);
    await lab.touch([0.5, 0.6, 0.7, 0.8].map((fraction) => lab.onTrack("entities", fraction)));
    await lab.frames(3);
    const { what } = lab.lines.findLast((line) => line.what.startsWith("knob entities"));
    assert.ok(Number(what.split(" ")[2]) > 4000, what);
    const before = lab.lines.length;
    await lab.touch([lab.middle("button:R")]);
    await lab.until("restarted");
    assert.ok(!lab.lines.slice(before).some((line) => line.what.startsWith("knob")), "released");
    await assertNotScrolled(lab);
    await lab.close();
});

test("a drag over the capsules requests runs", async () => {
    const lab = await Lab.open("strategy=request-list&requests-per-s=0&cost-us=0", TOUCH);
    const { x, y, width, height } = lab.place("capsules");
    const line = [0.2, 0.3, 0.4, 0.5, 0.6].map((at) => [x + width * at, y + height * at]);
    await lab.touch(line);
    await lab.until("request");
    await assertNotScrolled(lab);
    await lab.close();
});

test("a second finger does nothing, and a cancelled drag ends", async () => {
    const lab = await Lab.open("cost-us=0", TOUCH);
    const session = await lab.context.newCDPSession(lab.page);
    const send = (type, points) =>
        session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const first = lab.onTrack("entities", 0.5);
    const other = lab.middle("button:R");
    await send("touchStart", [first]);
    await send("touchStart", [first, other]);
    await send("touchMove", [lab.onTrack("entities", 0.7), [other[0] + 3, other[1]]]);
    await lab.until("knob entities");
    await send("touchCancel", []);
    await lab.frames(3);
    assert.ok(!lab.lines.some((line) => line.what === "restarted"));
    const before = lab.lines.length;
    await lab.touch([lab.middle("tab:every-frame")]);
    await lab.until("strategy every-frame");
    assert.ok(!lab.lines.slice(before).some((line) => line.what.startsWith("knob")), "released");
    assert.equal(number((await lab.frames(1))[0], "entities") > 400, true);
    await lab.close();
});

test("a cancelled touch clicks nothing", async () => {
    const lab = await Lab.open("cost-us=0", TOUCH);
    const session = await lab.context.newCDPSession(lab.page);
    const [x, y] = lab.middle("button:R");
    await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }] });
    await lab.frames(2);
    await session.send("Input.dispatchTouchEvent", { type: "touchCancel", touchPoints: [] });
    await lab.frames(3);
    assert.ok(!lab.lines.some((line) => line.what === "restarted"));
    await lab.touch([lab.middle("button:R")]);
    await lab.until("restarted");
    await lab.close();
});

test("a phone has room for most lanes and every loop, in both orientations", async () => {
    for (const [width, height] of [[390, 844], [844, 390]]) {
        const lab = await Lab.open("view=compare&still=60&entities=50", { ...TOUCH, viewport: { width, height } });
        await lab.touch([lab.middle("button:F")]);
        await lab.until("panels hidden");
        await lab.until("settled");
        for (const [view, names] of [
            ["W", STRATEGIES.map((key) => `lane:${key}`)],
            ["E", LOOPS.map((key) => `race:${key}`)],
        ]) {
            if (view !== "W") {
                await lab.touch([lab.middle(`view:⇧${view}`)]);
                await lab.until("settled");
            }
            // In landscape, the table of Compare scrolls.
            const shown = names.filter((name) => lab.places.has(name));
            assert.ok(view === "W" ? shown.length >= 9 : shown.length === names.length, `${shown} in ${width}x${height}`);
            for (const name of shown) {
                const place = lab.place(name);
                assert.ok(place.x >= 0 && place.x + place.width <= width, `${name} in ${width}x${height}`);
                assert.ok(place.y >= 0 && place.y + place.height <= height, `${name} in ${width}x${height}`);
            }
        }
        await lab.close();
    }
});

test("a phone reaches every strategy and view without keys", async () => {
    const lab = await Lab.open("cost-us=0", { ...TOUCH, viewport: { width: 390, height: 844 } });
    await lab.touch([lab.middle("tab:stagger-groups")]);
    await lab.until("strategy stagger-groups");
    await lab.pictures();
    await lab.touch([lab.middle("button:A")]);
    await lab.until("knobs shown");
    await lab.pictures();
    assert.ok(lab.place("entities").width > 100);
    for (const [control, words] of [
        ["view:⇧W", "view compare"],
        ["view:⇧E", "view loops"],
        ["view:⇧Q", "view grid"],
        ["button:F", "panels hidden"],
    ]) {
        await lab.touch([lab.middle(control)]);
        await lab.until(words);
        await lab.pictures();
    }
    await lab.close();
});
