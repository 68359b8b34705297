// Keys, mouse and sliders must work on the page as they do in the window.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Lab, NUMBER_ROW, STRATEGIES, number } from "./lab.mjs";

test("every strategy has a key and runs", async () => {
    const lab = await Lab.open("cost-us=0");
    for (const key of STRATEGIES.slice(0, NUMBER_ROW.length).sort((one) => (one === "fixed-interval" ? 1 : -1))) {
        await lab.select(key);
        await lab.until("frame", (line) => line.what.startsWith("frame ") && number(line, "runs") > 0);
    }
    await lab.select(STRATEGIES[1]);
    await lab.press("BracketRight", `strategy ${STRATEGIES[2]}`);
    await lab.press("BracketLeft", `strategy ${STRATEGIES[1]}`);
    await lab.close();
});

test("every view opens by its key and by its tab", async () => {
    const lab = await Lab.open("cost-us=0");
    const views = [["W", "compare"], ["E", "loops"], ["Q", "grid"]];
    for (const [key, view] of views) {
        await lab.press(`Shift+${key}`, `view ${view}`);
        await lab.pictures(); // catches errors in drawing the view
    }
    for (const [key, view] of views) {
        await lab.click(`view:⇧${key}`, `view ${view}`);
        await lab.pictures(); // the tabs move
    }
    await lab.close();
});

test("every control works by its key", async () => {
    const lab = await Lab.open("cost-us=0");
    for (const [key, words] of [
        ["Space", "paused"],
        ["Period", "step"],
        ["o", "step"],
        ["ArrowLeft", "look"],
        ["Shift+ArrowLeft", "look"],
        ["Home", "look"],
        ["End", "look"],
        ["p", "running"],
        ["r", "restarted"],
        ["t", "timeline shown"],
        ["t", "plots shown"],
        ["u", "code shown"],
        ["u", "plots shown"],
        ["f", "panels hidden"],
        ["f", "panels shown"],
        ["h", "help shown"],
        ["Escape", "help hidden"],
        ["Shift+Slash", "help shown"],
        ["Shift+Slash", "help hidden"],
        ["s", "staleness shown"],
        ["s", "flash shown"],
        ["l", "loop"],
        ["d", "exported"],
        ["k", "link"],
    ]) {
        await lab.press(key, words);
    }
    await lab.frames(3);
    await lab.close();
});

test("buttons and tabs work by a click", async () => {
    const lab = await Lab.open("cost-us=0");
    await lab.click("tab:every-frame", "strategy every-frame");
    await lab.click("button:Space", "paused");
    await lab.click("button:.", "step");
    await lab.click("button:R", "restarted");
    await lab.click("tab:timeline", "timeline shown");
    await lab.click("button:F", "panels hidden");
    await lab.pictures();
    await lab.click("button:?", "help shown");
    await lab.pictures();
    await lab.page.mouse.click(20, 700);
    await lab.until("help hidden");
    await lab.pictures();
    await lab.click("button:K", "link");
    await lab.close();
});

test("the browser keeps its keys, and Escape does not quit", async () => {
    const lab = await Lab.open("cost-us=0");
    await lab.page.evaluate(() => {
        window.seen = [];
        window.addEventListener("keydown", (event) => window.seen.push([event.code, event.defaultPrevented]));
        const canvas = document.getElementById("glcanvas");
        for (const code of ["F1", "F2", "F3", "F5", "F12", "Tab"]) {
            const event = new KeyboardEvent("keydown", { code, key: code, bubbles: true, cancelable: true });
            canvas.dispatchEvent(event);
            window.seen.push([code, event.defaultPrevented]);
        }
    });
    const seen = await lab.page.evaluate(() => window.seen);
    assert.ok(seen.length >= 6 && seen.every(([, prevented]) => !prevented), JSON.stringify(seen));
    await lab.page.keyboard.press("Escape");
    await lab.select("every-frame");
    for (const words of ["view", "panels", "screenshot", "leaving"]) {
        assert.ok(!lab.lines.some(({ what }) => what.startsWith(words)), words);
    }
    await lab.close();
});

test("letter keys follow the keyboard layout", async () => {
    const lab = await Lab.open("cost-us=0");
    // A French keyboard has Q where others have A, and W where others have Z.
    const type = (key, code) =>
        lab.page.evaluate(([key, code]) => {
            const event = (kind) => new KeyboardEvent(kind, { key, code, shiftKey: true, bubbles: true, cancelable: true });
            document.activeElement.dispatchEvent(event("keydown"));
            document.activeElement.dispatchEvent(event("keyup"));
        }, [key, code]);
    await type("W", "KeyZ");
    await lab.until("view compare");
    await type("Q", "KeyA");
    await lab.until("view grid");
    await lab.close();
});

test("key combinations are left to the browser", async () => {
    const lab = await Lab.open("cost-us=0");
    await lab.page.evaluate(() => {
        window.prevented = [];
        window.addEventListener("keydown", (event) => event.defaultPrevented && window.prevented.push(event.code));
    });
    const before = lab.lines.length;
    for (const chord of ["Control+KeyC", "Meta+KeyV", "Alt+KeyX", "Control+Equal", "Control+Minus", "Control+Digit0"]) {
        await lab.page.keyboard.press(chord);
    }
    await lab.select("every-frame");
    const words = /^(disturbance|scale|strategy)/;
    const logged = lab.lines.slice(before).map((line) => line.what).filter((what) => words.test(what));
    assert.deepEqual(logged, ["strategy every-frame"]);
    assert.deepEqual(await lab.page.evaluate(() => window.prevented), []);
    await lab.close();
});

test("keys work whichever element has the focus", async () => {
    const lab = await Lab.open("cost-us=0&entities=x");
    assert.match(await lab.notice(), /entities/);
    await lab.page.locator("#words").click();
    await lab.select("all-at-once");
    await lab.page.locator("#close").click();
    await lab.select("max-per-frame");
    await lab.page.evaluate(() => document.activeElement.blur());
    await lab.select("fixed-interval");
    await lab.close();
});

test("a slider drags past the window's edge, and its arrow resets it", async () => {
    const lab = await Lab.open("cost-us=0");
    const { mouse } = lab.page;
    await mouse.move(...lab.onTrack("entities", 0.3));
    await mouse.down();
    await lab.until("knob entities");
    for (const fraction of [0.5, 0.75, 0.1]) {
        await mouse.move(...lab.onTrack("entities", fraction));
        const value = number(await lab.until("knob entities"), "entities");
        await lab.until("frame", (line) => line.what.startsWith("frame ") && number(line, "entities") === value);
    }
    const [, y] = lab.onTrack("entities", 0);
    await mouse.move(-50, y);
    await lab.until("knob entities", (line) => line.what === "knob entities 0");
    await mouse.up();
    await lab.frames(2);
    const before = lab.lines.length;
    await mouse.move(...lab.onTrack("entities", 0.9));
    await lab.frames(3);
    assert.ok(!lab.lines.slice(before).some((line) => line.what.startsWith("knob")), "released");
    await lab.click("revert:entities", "knob entities 400");
    await lab.close();
});

test("a number can be typed", async () => {
    const lab = await Lab.open("cost-us=0");
    const { x, y, width } = lab.place("entities");
    await lab.page.mouse.click(x + width - 20, y + 9);
    await lab.frames(3);
    await lab.page.keyboard.press("Control+KeyA");
    await lab.page.keyboard.type("123", { delay: 50 });
    await lab.page.keyboard.press("Enter");
    await lab.until("knob entities", (line) => line.what === "knob entities 123");
    await lab.select("every-frame");
    await lab.close();
});

test("the wheel does not scroll the page", async () => {
    const lab = await Lab.open("cost-us=0");
    const { x, y, width, height } = lab.place("part:plots");
    await lab.page.mouse.move(x + width / 2, y + height / 2);
    await lab.frames(2);
    const events = number(await lab.until("picture"), "input");
    await lab.page.mouse.wheel(0, 240);
    await lab.until("picture", (line) => line.what.startsWith("picture ") && number(line, "input") > events);
    assert.equal(await lab.page.evaluate(() => window.scrollY), 0);
    await lab.close();
});
