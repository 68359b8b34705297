// Serves the page, opens it in Chromium, operates it like a user and reads its log (`?log=-`), as tests/program/window
// does for the window. Tests wait for log lines instead of a fixed time.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { Picture } from "./picture.mjs";

/// The maximum time to wait for anything, which is enough on a busy computer.
export const PATIENCE_MS = 60_000;
/// The radius of a slider's handle. The track is inset by this distance on the left and on the right.
const HANDLE = 6;
/// The distance from the top of a slider to its track.
const TRACK = 27.5;

const BUILT = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL("../../target", import.meta.url));
/// The path of the native program.
export const NATIVE = process.env.TIMESLICE_LAB ?? `${BUILT}/release/timeslice-lab`;
const LIST = JSON.parse(execFileSync(NATIVE, ["list", "--json"]));
/// The keys of all strategies and of all frame loops, in the order of the registry.
export const STRATEGIES = LIST.strategies.map(({ key }) => key);
/// The keys that select the strategies.
export const NUMBER_ROW = [...[..."1234567890"].map((digit) => `Digit${digit}`), "Minus", "Equal"];
export const LOOPS = LIST.frame_loops.map(({ key }) => key);

const DIST = new URL("../dist/", import.meta.url);
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
];

const opened = [];
after(async () => {
    for (const closable of opened.reverse()) {
        await closable.close();
    }
});

/// Starts a browser with these flags. All browsers and servers are closed after the tests of a file.
export async function browser(flags = SOFTWARE) {
    // The browser is headless. A display that does not exist (any more) would only prevent it from offering WebGL.
    const { DISPLAY, WAYLAND_DISPLAY, ...env } = process.env;
    const started = await chromium.launch({ executablePath: CHROMIUM, args: [...QUIET, ...flags], env });
    opened.push(started);
    return started;
}

let shared = null;

/// Serves the page. `answer(name)` may return { status, headers, body } to replace the response for a file. If the page
/// is not `isolated`, the browser gives it a coarser clock.
export async function serve({ answer = () => null, isolated = true } = {}) {
    const server = createServer(async (request, response) => {
        const name = new URL(request.url, "http://localhost").pathname.slice(1) || "index.html";
        const replaced = await answer(name);
        if (replaced) {
            response.writeHead(replaced.status ?? 200, { "Content-Type": KINDS[extname(name)], ...replaced.headers });
            return replaced.body?.pipe ? replaced.body.pipe(response) : response.end(replaced.body ?? "");
        }
        try {
            const body = await readFile(new URL(name, DIST));
            const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
            response.writeHead(200, { "Content-Type": KINDS[extname(name)], ...(isolated && isolation) });
            response.end(body);
        } catch {
            response.writeHead(404);
            response.end();
        }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = () => new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
    });
    opened.push({ close });
    return { url: `http://127.0.0.1:${server.address().port}/`, close };
}

/// The page, open in its own browser context.
export class Lab {
    /// Opens the page with this query. If `logged`, waits for the first frame, or until the image has settled if the
    /// query has `still=`. All other options go to the browser context.
    static async open(query = "", { on = null, served = null, logged = true, init = null, ...context } = {}) {
        shared ??= { browser: await browser(), server: await serve() };
        const lab = new Lab();
        const options = { viewport: { width: 1280, height: 800 }, ...context };
        lab.context = await (on ?? shared.browser).newContext(options);
        lab.page = await lab.context.newPage();
        lab.url = (served ?? shared.server).url;
        lab.scale = options.deviceScaleFactor ?? 1;
        lab.page.on("console", (message) => lab.#hear(message));
        lab.page.on("pageerror", (error) => lab.errors.push(String(error)));
        if (init) {
            await lab.page.addInitScript(init);
        }
        const all = [query, logged ? "log=-" : ""].filter(Boolean).join("&");
        await lab.page.goto(lab.url + (all && `?${all}`));
        if (logged) {
            await lab.until(/still=/.test(query) ? "settled" : "frame");
        }
        return lab;
    }

    lines = [];
    errors = [];
    places = new Map();
    /// The controls of a list that is not complete yet.
    #listing = null;
    #read = 0;
    #wake = () => {};

    #hear(message) {
        const text = message.text();
        if (message.type() === "error" || message.type() === "warning") {
            this.errors.push(text);
        }
        const [, frame, what] = text.match(/^(\d+) (.*)$/) ?? [];
        if (what === undefined) {
            return;
        }
        const [word, name, ...numbers] = what.split(" ");
        if (word === "control") {
            if (name === "part:bar") {
                this.#listing = new Map(); // the log lists all controls again, starting with the bar
            }
            const [x, y, width, height] = numbers.map((number) => Number(number) / this.scale);
            const place = { x, y, width, height };
            this.places.set(name, place);
            this.#listing?.set(name, place);
        } else if (this.#listing) {
            this.places = this.#listing; // the list is complete
            this.#listing = null;
        }
        this.lines.push({ frame: Number(frame), what });
        this.#wake();
    }

    /// Reads log lines until one begins with these words or fulfils `is`. Returns that line.
    async until(words, is = (line) => line.what === words || line.what.startsWith(`${words} `)) {
        const deadline = Date.now() + PATIENCE_MS;
        for (;;) {
            while (this.#read < this.lines.length) {
                const line = this.lines[this.#read++];
                if (is(line)) {
                    return line;
                }
            }
            const left = deadline - Date.now();
            if (left <= 0) {
                const last = this.lines.slice(-20).map((line) => line.what);
                assert.fail(`waited for ${words}\nlog: ${last.join("\n")}\nerrors: ${this.errors.join("\n")}`);
            }
            await new Promise((resolve) => {
                this.#wake = resolve;
                setTimeout(resolve, Math.min(left, 1000));
            });
        }
    }

    /// Drops all lines that have been read.
    clearLog() {
        this.lines.length = this.#read = 0;
    }

    /// Waits for `count` more complete frames. Returns their lines.
    async frames(count) {
        this.#read = this.lines.length;
        const frames = [];
        while (frames.length <= count) {
            frames.push(await this.until("frame"));
        }
        return frames.slice(1); // the first frame may have started before this call
    }

    /// Waits until the browser has drawn `count` frames, so that the screen and the logged positions are up to date.
    async pictures(count = 3) {
        await this.page.evaluate(async (count) => {
            for (let drawn = 0; drawn < count; drawn++) {
                await new Promise(requestAnimationFrame);
            }
        }, count);
    }

    /// Presses a key, and reads log lines until one begins with these words.
    async press(key, words) {
        this.#read = this.lines.length;
        await this.page.keyboard.press(key);
        return this.until(words);
    }

    /// Presses the key of a strategy.
    async select(strategy) {
        return this.press(NUMBER_ROW[STRATEGIES.indexOf(strategy)], `strategy ${strategy}`);
    }

    /// Returns the centre of a control, in CSS pixels.
    middle(name) {
        const place = this.place(name);
        return [place.x + place.width / 2, place.y + place.height / 2];
    }

    /// Returns the rectangle of a control, in CSS pixels.
    place(name) {
        const place = this.places.get(name);
        assert.ok(place, `no control ${name} among ${[...this.places.keys()].join(" ")}`);
        return place;
    }

    /// Returns the point on a slider's track at this fraction of its length.
    onTrack(name, fraction) {
        const { x, y, width } = this.place(name);
        return [x + HANDLE + fraction * (width - 2 * HANDLE), y + TRACK];
    }

    /// Clicks a control, and reads log lines until one begins with these words.
    async click(name, words) {
        this.#read = this.lines.length;
        await this.page.mouse.click(...this.middle(name));
        return this.until(words);
    }

    /// Drags one finger over the screen, from the first [x, y] to the last. A single point is a tap.
    async touch(points) {
        const session = (this.session ??= await this.context.newCDPSession(this.page));
        const send = (type, touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
        const [[x, y], ...others] = points;
        await send("touchStart", [{ x, y }]);
        for (const [x, y] of others) {
            await send("touchMove", [{ x, y }]);
        }
        await send("touchEnd", []);
    }

    /// Drops files onto the page: pairs of a name and a text.
    async drop(files) {
        await this.page.evaluate((files) => {
            const dataTransfer = new DataTransfer();
            for (const [name, text] of files) {
                dataTransfer.items.add(new File([text], name));
            }
            const event = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
            document.getElementById("glcanvas").dispatchEvent(event);
        }, files);
    }

    /// Waits while a condition holds.
    async waitWhile(holds) {
        const deadline = Date.now() + PATIENCE_MS;
        while (await holds()) {
            assert.ok(Date.now() < deadline, `still: ${holds}`);
            await this.pictures(1);
        }
    }

    /// Presses a key that saves a file, and reads log lines until one begins with these words. Returns the file's name
    /// and bytes.
    async download(key, words) {
        const [download] = await Promise.all([this.page.waitForEvent("download"), this.press(key, words)]);
        return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    }

    async picture(options = {}) {
        return Picture.of(await this.page.screenshot(options));
    }

    /// Returns the message that the page shows, or null if there is none.
    async notice() {
        return (await this.page.locator("#notice").isVisible()) ? this.page.locator("#words").innerText() : null;
    }

    /// Closes the page. Fails if the console has errors or warnings that do not match `expected`.
    async close({ expected = null } = {}) {
        await this.context.close();
        const errors = this.errors.filter((error) => !expected?.test(error));
        assert.deepEqual(errors, [], "the console");
    }
}

/// Reads a ZIP archive of uncompressed files. Returns its folder, and its files by name.
export function unzipped(zip) {
    const end = zip.length - 22;
    assert.equal(zip.toString("latin1", end, end + 4), "PK\x05\x06");
    const files = new Map();
    let folder = null;
    for (let at = zip.readUInt32LE(end + 16), left = zip.readUInt16LE(end + 10); left > 0; left--) {
        const [length, start] = [zip.readUInt16LE(at + 28), zip.readUInt32LE(at + 42)];
        const path = zip.toString("utf8", at + 46, at + 46 + length).split("/");
        const body = start + 30 + zip.readUInt16LE(start + 26);
        folder = path[0];
        files.set(path[1], zip.subarray(body, body + zip.readUInt32LE(at + 24)));
        at += 46 + length;
    }
    return { folder, files };
}

/// Returns the number after `name` in a line.
export function number(line, name) {
    const words = line.what.split(" ");
    const value = Number(words[words.indexOf(name) + 1]);
    assert.ok(words.includes(name) && !Number.isNaN(value), `no ${name} in ${line.what}`);
    return value;
}
