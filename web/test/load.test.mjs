// Loading the page: the progress bar, and an error message for everything that can go wrong.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { test } from "node:test";
import { Lab, browser, serve } from "./lab.mjs";

const WASM = "timeslice-lab.wasm";
const program = await readFile(new URL(`../dist/${WASM}`, import.meta.url));
/// Waits for an error message over the page that contains `part`, and returns it.
async function errorMessage(lab, part) {
    const why = lab.page.locator("#why");
    await why.filter({ hasText: part }).waitFor();
    assert.equal(await lab.page.locator("#progress").isVisible(), false);
    return why.innerText();
}

/// Opens a page that cannot work and returns its error message. The console must contain nothing but this error.
async function broken(options, part, expected = part) {
    const lab = await Lab.open("", { logged: false, ...options });
    const message = await errorMessage(lab, part);
    await lab.close({ expected });
    return message;
}

test("the page loads and the console stays empty", async () => {
    const lab = await Lab.open("", { logged: false });
    await lab.page.locator("#curtain").waitFor({ state: "hidden" });
    assert.equal(await lab.page.evaluate(() => document.activeElement.id), "glcanvas");
    assert.equal(await lab.notice(), null);
    await lab.close();
});

test("the page provides every function that the program imports", async () => {
    const lab = await Lab.open();
    const module = await WebAssembly.compile(program);
    const imports = WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`);
    const missing = await lab.page.evaluate(
        (imports) => imports.filter((name) => typeof importObject.env[name.replace(/^env\./, "")] !== "function"),
        imports,
    );
    assert.deepEqual(missing, []);
    await lab.close(); // gl.js logs each missing function that it has replaced
});

test("a bar shows the loading progress", async () => {
    let sendRest;
    const half = program.length >> 1;
    const body = async function* () {
        yield program.subarray(0, half);
        await new Promise((resolve) => (sendRest = resolve));
        yield program.subarray(half);
    };
    const served = await serve({ answer: (name) => name === WASM && { body: Readable.from(body()) } });
    const lab = await Lab.open("", { served, logged: false });
    await lab.page.waitForFunction(() => document.getElementById("progress").value > 0.4);
    assert.ok(await lab.page.locator("#progress").isVisible());
    const value = await lab.page.evaluate(() => document.getElementById("progress").value);
    assert.ok(value < 0.6, `${value}`);
    sendRest();
    await lab.page.locator("#curtain").waitFor({ state: "hidden" });
    await lab.close();
});

test("a missing program is an error", async () => {
    const served = await serve({ answer: (name) => name === WASM && { status: 404 } });
    const message = await broken({ served }, /404/);
    assert.match(message, /Reload/);
});

test("an incomplete or invalid program is an error", async () => {
    for (const body of [program.subarray(0, 100_000), "<!doctype html>", ""]) {
        const served = await serve({ answer: (name) => name === WASM && { body } });
        await broken({ served }, /CompileError|WebAssembly/);
    }
});

test("an interrupted download is an error", async () => {
    const served = await serve({
        answer: (name) =>
            name === WASM && {
                body: Readable.from(
                    (async function* () {
                        yield program.subarray(0, 1000);
                        throw new Error("connection lost");
                    })(),
                ).on("error", () => served.close()),
            },
    });
    await broken({ served }, /incomplete|could not be loaded/, /./);
});

test("a missing script is an error", async () => {
    for (const script of ["gl.js", "lab.js"]) {
        const served = await serve({ answer: (name) => name === script && { status: 404 } });
        const lab = await Lab.open("", { served, logged: false });
        await errorMessage(lab, script);
        await lab.context.close();
    }
});

test("a page and a program of different versions are an error", async () => {
    const served = await serve({
        answer: async (name) =>
            name === "lab.js" && {
                body: (await readFile(new URL("../dist/lab.js", import.meta.url), "utf8")).replace(/VERSION = \d+/, "VERSION = 0"),
            },
    });
    await broken({ served }, /version/);
});

test("a browser without WebGL is an error", async () => {
    const on = await browser(["--disable-gpu", "--disable-software-rasterizer", "--disable-3d-apis"]);
    const message = await broken({ on }, /WebGL/);
    assert.match(message, /hardware acceleration/);
});

test("a browser without WebAssembly is an error", async () => {
    await broken({ init: () => delete globalThis.WebAssembly }, /WebAssembly/);
});

test("the page loads without TransformStream", async () => {
    const lab = await Lab.open("cost-us=0", { init: () => delete globalThis.TransformStream });
    await lab.frames(3);
    await lab.close();
});

test("WebGL 1 is enough", async () => {
    const lab = await Lab.open("cost-us=0", {
        init: () => {
            const original = HTMLCanvasElement.prototype.getContext;
            HTMLCanvasElement.prototype.getContext = function (kind, ...others) {
                return kind === "webgl2" ? null : original.call(this, kind, ...others);
            };
        },
    });
    await lab.frames(3);
    assert.ok((await lab.picture()).colours() > 100);
    await lab.close();
});

test("a crash is shown and logged once, then nothing more happens", async () => {
    const lab = await Lab.open("cost-us=0");
    await lab.page.evaluate(() => wasm_exports.allocate_vec_u8(-1)); // too large to allocate
    await errorMessage(lab, /capacity overflow/);
    await lab.page.mouse.click(300, 300);
    await lab.page.keyboard.press("Space");
    await lab.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(lab.errors.length, 1, lab.errors.join("\n"));
    await lab.close({ expected: /capacity overflow/ });
});

test("a lost WebGL context is an error", async () => {
    const lab = await Lab.open("cost-us=0");
    await lab.page.evaluate(() => gl.getExtension("WEBGL_lose_context").loseContext());
    await errorMessage(lab, /graphics/);
    await lab.context.close();
});

test("memory above 2 GiB works", async () => {
    const lab = await Lab.open("cost-us=0");
    // Grow the memory, so that everything allocated from here on is above 2 GiB.
    await lab.page.evaluate(() => wasm_memory.grow(2 ** 31 / 2 ** 16));
    const { mouse } = lab.page;
    await mouse.move(...lab.onTrack("entities", 0.5));
    await mouse.down();
    // A million entities under every strategy would need more than the 2 GiB that are left.
    await mouse.move(...lab.onTrack("entities", 0.9));
    await lab.until("knob entities", (line) => Number(line.what.match(/^knob entities (\d+)$/)?.[1]) > 100_000);
    await mouse.up();
    await lab.pictures();
    await lab.press("Shift+W", "view compare");
    await lab.pictures();
    await lab.press("k", "link");
    await lab.press("Shift+Q", "view grid");
    await lab.close();
});
