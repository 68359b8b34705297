// A monkey at the page: random keys, clicks, drags, touches, wheel turns and sizes from 1x1 to 2560x1440, the same ones
// for the same seed, as tests/window/robustness/monkey.rs has at the window. The page has to stay alive, to answer all the time, to
// complain of nothing (a wrong call of WebGL is a complaint), and to keep its memory.
//
// A longer run, or another: `MONKEY_ACTIONS=5000 MONKEY_SEED=7 node --test monkey.test.mjs`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Lab } from "./lab.mjs";

const ACTIONS = Number(process.env.MONKEY_ACTIONS ?? 150);
const SEED = Number(process.env.MONKEY_SEED ?? 1);
/// So many are done at once; then the page has to answer.
const AT_ONCE = 5;
/// After so many its memory is measured.
const MEASURED_AFTER = 50;
/// How much more memory it may have at the end than when it was warm.
const GROWTH = 1.1;
/// So much of the way is the scripts' warm-up: what the browser has compiled of them, and noted of their calls, counts, too.
const WARM = 0.2;
const LARGEST = [2560, 1440];

/// Every key that does something, and many that do nothing.
const KEYS = [
    ..."0123456789abcefghjklmnopqrstuvwxyz",
    ...["[", "]", " ", ".", ",", "-", "+", "/", "?", "B", "Z", "Control+a", "Control+c", "Control+z", "Alt+x"],
    ...["Tab", "Shift+Tab", "Enter", "Escape", "Backspace", "Delete", "Insert", "PageUp", "PageDown", "Home", "End"],
    ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Shift+ArrowLeft", "Numpad0", "Numpad4", "F2", "F3"],
];
/// Keys that save: each picture is megabytes, so they are rarer.
const SAVING = ["i", "d"];

/// Numbers from 0 to 1, the same ones for the same seed: the generator "mulberry32" by Tommy Ettinger (public domain).
function chance(seed) {
    return () => {
        seed = (seed + 0x6d2b79f5) | 0;
        let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

class Monkey {
    constructor(lab, seed) {
        this.lab = lab;
        this.unit = chance(seed);
        this.size = [1280, 800];
        this.counts = {};
        this.done = [];
    }

    below = (count) => Math.floor(this.unit() * count);
    oneOf = (all) => all[this.below(all.length)];

    /// In the window, or on something that does something.
    somewhere() {
        const places = [...this.lab.places].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, place]) => place);
        const whole = { x: 0, y: 0, width: this.size[0], height: this.size[1] };
        const { x, y, width, height } = this.unit() < 0.75 && places.length > 0 ? this.oneOf(places) : whole;
        return [x + this.unit() * width, y + this.unit() * height].map((at) => Math.max(Math.round(at), 0));
    }

    someSize() {
        switch (this.below(10)) {
            case 0: return [1, 1];
            case 1: return LARGEST;
            case 2: case 3: case 4: return LARGEST.map((largest) => Math.round(largest ** this.unit()));
            default: return [700 + this.below(1000), 400 + this.below(700)];
        }
    }

    async act() {
        const { mouse, keyboard } = this.lab.page;
        const kind = this.below(100);
        const is = (name, ...what) => {
            this.counts[name] = (this.counts[name] ?? 0) + 1;
            this.done.push(`${name} ${what.join(" ")}`);
        };
        const spot = () => this.somewhere();
        if (kind < 38) {
            const key = this.oneOf(KEYS);
            is("keys", key);
            await keyboard.press(key);
        } else if (kind < 39) {
            const key = this.oneOf(SAVING);
            is("saves", key);
            await keyboard.press(key);
        } else if (kind < 58) {
            const [at, button] = [spot(), this.oneOf(["left", "left", "left", "middle", "right"])];
            is("clicks", at, button);
            await mouse.click(...at, { button });
        } else if (kind < 62) {
            const at = spot();
            is("double clicks", at);
            await mouse.dblclick(...at);
        } else if (kind < 75) {
            // Now and then it is held while other things happen.
            const [from, to, held] = [spot(), spot(), this.unit() > 0.9];
            is("drags", from, "to", to, held ? "held" : "");
            await mouse.move(...from);
            await mouse.down();
            await mouse.move(...to, { steps: 3 });
            if (!held) {
                await mouse.up();
            }
        } else if (kind < 82) {
            const points = [spot(), spot(), spot()];
            is("touches", ...points);
            await this.lab.touch(points);
        } else if (kind < 91) {
            const [at, x, y] = [spot(), (this.below(3) - 1) * 120, (this.below(11) - 5) * 120];
            is("wheel turns", at, "by", x, y);
            await mouse.move(...at);
            await mouse.wheel(x, y);
        } else {
            this.size = this.someSize();
            is("sizes", this.size);
            await this.resize();
        }
    }

    async resize() {
        const [width, height] = this.size;
        await this.lab.page.setViewportSize({ width, height });
        await this.lab.pictures(); // after which all stands elsewhere
    }

    /// It still does as it is told, whatever is open, typed into, or held. What came with the same picture as a click
    /// into a number may be typed into that, so it is told until it answers.
    async answers() {
        const { page } = this.lab;
        await page.mouse.up();
        const [key, view] = this.oneOf([["q", "grid"], ["w", "compare"], ["e", "loops"]]);
        let over = false;
        this.lab.forget(); // a long run tells much
        const answer = this.lab.until(`view ${view}`).finally(() => (over = true));
        while (!over) {
            await page.keyboard.press("Escape");
            await this.lab.pictures();
            await page.keyboard.press(key);
            await this.lab.pictures();
        }
        await answer;
    }

    /// How many bytes the program and the page's scripts have, in the same state whatever has happened.
    async memory() {
        this.size = [1280, 800];
        await this.resize();
        await this.answers();
        const session = (this.session ??= await this.lab.context.newCDPSession(this.lab.page));
        await session.send("HeapProfiler.collectGarbage");
        const scripts = (await session.send("Runtime.getHeapUsage")).usedSize;
        const program = await this.lab.page.evaluate(() => wasm_memory.buffer.byteLength);
        return { program, scripts };
    }
}

/// Puts the sliders that say how many there are to their end, in both views that have one, and begins anew: no more
/// memory is ever needed.
async function warmUp(lab) {
    for (const [key, view, slider, told, restarted] of [
        ["w", "compare", "all:entities", "all entities", "comparison restarted"],
        ["q", "grid", "entities", "knob entities", "restarted"],
    ]) {
        await lab.press(key, `view ${view}`);
        await lab.pictures();
        await lab.page.mouse.click(...lab.onTrack(slider, 1));
        await lab.until(told);
        await lab.pictures();
        await lab.press("r", restarted);
        await lab.pictures();
        await lab.page.waitForTimeout(400); // or the next press of this slider is a double click
        await lab.page.mouse.click(...lab.onTrack(slider, 0.25));
        await lab.until(told);
        await lab.pictures();
    }
}

test("a monkey cannot break the page", async (t) => {
    const lab = await Lab.open("cost-us=5", { hasTouch: true });
    const monkey = new Monkey(lab, SEED);
    const kept = [];
    await warmUp(lab);
    try {
        for (let action = 1; action <= ACTIONS; action++) {
            await monkey.act();
            if (action % AT_ONCE === 0) {
                await monkey.answers();
            }
            if (action % MEASURED_AFTER === 0 || action === ACTIONS) {
                kept.push({ action, ...(await monkey.memory()) });
                if (action % 500 === 0) {
                    console.log(`${action} of ${ACTIONS}`);
                }
            }
        }
    } catch (error) {
        t.diagnostic(`after ${monkey.done.length}: ${monkey.done.slice(-20).join(" | ")}`);
        throw error;
    }
    t.diagnostic(`seed ${SEED}: ${JSON.stringify(monkey.counts)}`);
    t.diagnostic(`bytes: ${JSON.stringify(kept)}`);
    const [warm, last] = [kept.find(({ action }) => action >= ACTIONS * WARM), kept.at(-1)];
    for (const what of ["program", "scripts"]) {
        assert.ok(last[what] <= warm[what] * GROWTH, `the ${what}: ${warm[what]} bytes became ${last[what]}`);
    }
    await lab.close();
});
