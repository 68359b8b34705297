// A monkey test: random keys, clicks, drags, touches, wheel turns, dropped files and sizes from 1x1 to 1920x1080, repeatable
// by seed, like src/app/tests/monkey.rs for the window. The page must keep responding, log no error (WebGL logs
// wrong calls), and not grow in memory.
//
// For a longer run or another seed: `MONKEY_ACTIONS=5000 MONKEY_SEED=7 node --test monkey.test.mjs`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Lab } from "./lab.mjs";

const ACTIONS = Number(process.env.MONKEY_ACTIONS ?? 60);
const SEED = Number(process.env.MONKEY_SEED ?? 1);
/// The number of actions between two checks that the page responds.
const ACTIONS_PER_CHECK = 5;
/// The number of actions between two measurements of memory.
const ACTIONS_PER_MEASUREMENT = 15;
/// The maximum memory at the end of the test, as a multiple of the memory after warm-up.
const GROWTH = 1.1;
/// The fraction of the actions that count as warm-up. The browser takes memory to compile and profile scripts, and the
/// memory of WebAssembly never shrinks, so it grows whenever random input needs more at once than ever before. In the second
/// half of the actions, only a leak should still grow.
const WARM = 0.5;
const LARGEST = [1920, 1080];
/// Contents of dropped files of task costs: usable, unusable, and empty.
const COSTS = ["1\n2.5\n70\n", "80", "1\nmany\n", ""];

/// Every key that has a function, and many that have none.
const KEYS = [
    ..."0123456789abcefghjklmnopqrstuvwxyz",
    ...["[", "]", " ", ".", ",", "-", "=", "+", "/", "?", "B", "Z", "Control+a", "Control+c", "Control+z", "Control+0", "Alt+x"],
    ...["Tab", "Shift+Tab", "Enter", "Escape", "Backspace", "Delete", "Insert", "PageUp", "PageDown", "Home", "End"],
    ...["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Shift+ArrowLeft", "Numpad0", "Numpad4", "F2", "F3"],
];
/// Keys that save files of several megabytes. They are pressed less often.
const SAVING = ["i", "d"];

/// Returns a generator of repeatable random numbers from 0 to 1: "mulberry32" by Tommy Ettinger (public domain).
function randomFrom(seed) {
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
        this.unit = randomFrom(seed);
        this.size = [1280, 800];
        this.counts = {};
        this.done = [];
    }

    below = (count) => Math.floor(this.unit() * count);
    oneOf = (all) => all[this.below(all.length)];

    /// Returns a random point in a control or in the window.
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
        const note = (name, ...what) => {
            this.counts[name] = (this.counts[name] ?? 0) + 1;
            this.done.push(`${name} ${what.join(" ")}`);
        };
        const spot = () => this.somewhere();
        if (kind < 38) {
            const key = this.oneOf(KEYS);
            note("keys", key);
            await keyboard.press(key);
        } else if (kind < 39) {
            const key = this.oneOf(SAVING);
            note("saves", key);
            await keyboard.press(key);
        } else if (kind < 58) {
            const [at, button] = [spot(), this.oneOf(["left", "left", "left", "middle", "right"])];
            note("clicks", at, button);
            await mouse.click(...at, { button });
        } else if (kind < 62) {
            const at = spot();
            note("double clicks", at);
            await mouse.dblclick(...at);
        } else if (kind < 75) {
            // Sometimes the button stays pressed during the next actions.
            const [from, to, held] = [spot(), spot(), this.unit() > 0.9];
            note("drags", from, "to", to, held ? "held" : "");
            await mouse.move(...from);
            await mouse.down();
            await mouse.move(...to, { steps: 3 });
            if (!held) {
                await mouse.up();
            }
        } else if (kind < 82) {
            const points = [spot(), spot(), spot()];
            note("touches", ...points);
            await this.lab.touch(points);
        } else if (kind < 85) {
            const files = [["costs.txt", this.oneOf(COSTS)], ["more.txt", "1"]].slice(0, this.unit() < 0.8 ? 1 : 2);
            note("drops", JSON.stringify(files));
            await this.lab.drop(files);
        } else if (kind < 93) {
            const [at, x, y] = [spot(), (this.below(3) - 1) * 120, (this.below(11) - 5) * 120];
            note("wheel turns", at, "by", x, y);
            await mouse.move(...at);
            await mouse.wheel(x, y);
        } else {
            this.size = this.someSize();
            note("sizes", this.size);
            await this.resize();
        }
    }

    async resize() {
        const [width, height] = this.size;
        await this.lab.page.setViewportSize({ width, height });
        await this.lab.pictures();
    }

    /// Checks that the page still responds by opening a random view. Presses the key several times, because a number
    /// field that was just clicked may take the first press as text.
    async checkResponds() {
        const { page } = this.lab;
        await page.mouse.up();
        const [key, view] = this.oneOf([["Q", "grid"], ["W", "compare"], ["E", "loops"]]);
        let responded = false;
        this.lab.clearLog(); // the log of a long run is large
        const response = this.lab.until(`view ${view}`).finally(() => (responded = true));
        response.catch(() => {}); // a failure is thrown below, when no more keys are being pressed
        while (!responded) {
            await page.keyboard.press("Escape");
            await this.lab.pictures();
            await page.keyboard.press(`Shift+${key}`);
            await this.lab.pictures();
        }
        await response;
    }

    /// Brings the page into a standard state. Returns the memory of the program and of the scripts, in bytes.
    async memory() {
        this.size = [1280, 800];
        await this.resize();
        await this.checkResponds();
        const session = (this.session ??= await this.lab.context.newCDPSession(this.lab.page));
        await session.send("HeapProfiler.collectGarbage");
        const scripts = (await session.send("Runtime.getHeapUsage")).usedSize;
        const program = await this.lab.page.evaluate(() => wasm_memory.buffer.byteLength);
        return { program, scripts };
    }
}

/// Makes the page allocate the memory for the largest population, so that later growth is probably a leak. For this, moves
/// the entities slider to its end and restarts, in both views that have the slider. Also switches to the published forms
/// of the strategies, which need other memory than ours.
async function warmUp(lab) {
    for (const [key, view, slider, which, restarted] of [
        ["W", "compare", "all:entities", "knob", "comparison restarted"],
        ["Q", "grid", "entities", "knob", "restarted"],
    ]) {
        await lab.press(`Shift+${key}`, `view ${view}`);
        await lab.pictures();
        await lab.page.mouse.click(...lab.onTrack(slider, 1));
        await lab.until(`${which} entities`);
        await lab.pictures();
        await lab.press("r", restarted);
        await lab.pictures();
        await lab.press("w", `${which} as-published 1`);
        await lab.pictures();
        await lab.press("w", `${which} as-published 0`);
        await lab.pictures();
        await lab.page.mouse.click(...lab.onTrack(slider, 0.25));
        await lab.until(`${which} entities`);
        await lab.pictures();
    }
}

test("random input does not break the page", async (t) => {
    const lab = await Lab.open("cost-us=5", { hasTouch: true });
    const monkey = new Monkey(lab, SEED);
    const measured = [];
    await warmUp(lab);
    try {
        for (let action = 1; action <= ACTIONS; action++) {
            await monkey.act();
            if (action % ACTIONS_PER_CHECK === 0) {
                await monkey.checkResponds();
            }
            if (action % ACTIONS_PER_MEASUREMENT === 0 || action === ACTIONS) {
                measured.push({ action, ...(await monkey.memory()) });
            }
            if (action % 500 === 0) {
                console.log(`${action} of ${ACTIONS}`);
            }
        }
    } catch (error) {
        t.diagnostic(`after ${monkey.done.length} actions: ${monkey.done.slice(-20).join(" | ")}`);
        throw error;
    }
    t.diagnostic(`seed ${SEED}: ${JSON.stringify(monkey.counts)}`);
    t.diagnostic(`bytes: ${JSON.stringify(measured)}`);
    const [warm, last] = [measured.find(({ action }) => action >= ACTIONS * WARM), measured.at(-1)];
    for (const what of ["program", "scripts"]) {
        assert.ok(last[what] <= warm[what] * GROWTH, `${what} memory grew from ${warm[what]} to ${last[what]} bytes`);
    }
    await lab.close();
});
