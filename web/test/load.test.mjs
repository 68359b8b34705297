// The page loads, shows how far it is, and says in a sentence what is wrong where it cannot.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { test } from "node:test";
import { Lab, browser, serve } from "./lab.mjs";

const WASM = "timeslice-lab.wasm";
const program = await readFile(new URL(`../dist/${WASM}`, import.meta.url));
/// What a browser itself complains of when a file is not there.
const NOT_FOUND = /Failed to load resource/;

/// The sentence that stands over the page; it is waited for.
async function sentence(lab, part) {
    const why = lab.page.locator("#why");
    await why.filter({ hasText: part }).waitFor();
    assert.equal(await lab.page.locator("#progress").isVisible(), false);
    return why.innerText();
}

/// Opens a page that cannot work and returns its sentence. It is said in the console, too, and nothing else is.
async function broken(options, part, expected = part) {
    const lab = await Lab.open("", { logged: false, ...options });
    const said = await sentence(lab, part);
    await lab.close({ expected });
    return said;
}

test("it loads without a word in the console, and takes its curtain away", async () => {
    const lab = await Lab.open("", { logged: false });
    await lab.page.locator("#curtain").waitFor({ state: "hidden" });
    assert.equal(await lab.page.evaluate(() => document.activeElement.id), "glcanvas");
    assert.equal(await lab.notice(), null);
    await lab.close();
});

test("everything that the program asks of the page is there", async () => {
    const lab = await Lab.open();
    const module = await WebAssembly.compile(program);
    const asked = WebAssembly.Module.imports(module).map(({ module, name }) => `${module}.${name}`);
    const missing = await lab.page.evaluate(
        (asked) => asked.filter((name) => typeof importObject.env[name.replace(/^env\./, "")] !== "function"),
        asked,
    );
    assert.deepEqual(missing, []);
    await lab.close(); // a function that gl.js had to make up would have been told in the console
});

test("a bar shows how much has come", async () => {
    let go;
    const half = program.length >> 1;
    const body = async function* () {
        yield program.subarray(0, half);
        await new Promise((resolve) => (go = resolve));
        yield program.subarray(half);
    };
    const served = await serve({ answer: (name) => name === WASM && { body: Readable.from(body()) } });
    const lab = await Lab.open("", { served, logged: false });
    await lab.page.waitForFunction(() => document.getElementById("progress").value > 0.4);
    assert.ok(await lab.page.locator("#progress").isVisible());
    const value = await lab.page.evaluate(() => document.getElementById("progress").value);
    assert.ok(value < 0.6, `${value}`);
    go();
    await lab.page.locator("#curtain").waitFor({ state: "hidden" });
    await lab.close();
});

test("a program that is not there is told", async () => {
    const served = await serve({ answer: (name) => name === WASM && { status: 404 } });
    const said = await broken({ served }, /the server says 404/, /404/);
    assert.match(said, /Reload the page/);
});

test("a program that has not come whole, or is none, is told", async () => {
    for (const body of [program.subarray(0, 100_000), "<!doctype html>", ""]) {
        const served = await serve({ answer: (name) => name === WASM && { body } });
        await broken({ served }, /has not come whole/, /CompileError|WebAssembly/);
    }
});

test("a server that breaks off is told", async () => {
    const served = await serve({
        answer: (name) =>
            name === WASM && {
                body: Readable.from(
                    (async function* () {
                        yield program.subarray(0, 1000);
                        throw new Error("the line is cut");
                    })(),
                ).on("error", () => served.close()),
            },
    });
    await broken({ served }, /has not come whole|could not be loaded/, /./);
});

test("a script that is not there is told", async () => {
    for (const script of ["gl.js", "sapp_jsutils.js", "quad-url.js", "lab.js"]) {
        const served = await serve({ answer: (name) => name === script && { status: 404 } });
        const lab = await Lab.open("", { served, logged: false });
        await sentence(lab, `${script} could not be loaded`);
        await lab.context.close();
    }
});

test("a page and a program of two versions are told", async () => {
    const served = await serve({
        answer: async (name) =>
            name === "lab.js" && {
                body: (await readFile(new URL("../dist/lab.js", import.meta.url), "utf8")).replace(/VERSION = \d+/, "VERSION = 0"),
            },
    });
    await broken({ served }, /two versions/);
});

test("a browser without WebGL is told so", async () => {
    const on = await browser(["--disable-gpu", "--disable-software-rasterizer", "--disable-3d-apis"]);
    const said = await broken({ on }, /WebGL/);
    assert.match(said, /hardware acceleration/);
});

test("a browser without WebAssembly is told so", async () => {
    await broken({ init: () => delete globalThis.WebAssembly }, /WebAssembly/);
});

test("a browser that cannot tell how much has come loads it all the same", async () => {
    const lab = await Lab.open("cost-us=0", { init: () => delete globalThis.TransformStream });
    await lab.frames(3);
    await lab.close();
});

test("the first WebGL is enough", async () => {
    const lab = await Lab.open("cost-us=0", {
        init: () => {
            const usual = HTMLCanvasElement.prototype.getContext;
            HTMLCanvasElement.prototype.getContext = function (kind, ...others) {
                return kind === "webgl2" ? null : usual.call(this, kind, ...others);
            };
        },
    });
    await lab.frames(3);
    assert.ok((await lab.picture()).colours() > 100);
    await lab.close();
});

test("a breakdown is told, in the console, too, and leaves silence", async () => {
    const lab = await Lab.open("cost-us=0");
    await lab.page.evaluate(() => wasm_exports.allocate_vec_u8(-1)); // more than there can be
    const said = await sentence(lab, /has broken down/);
    assert.match(said, /capacity overflow/);
    await lab.page.mouse.click(300, 300);
    await lab.page.keyboard.press("Space");
    await lab.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(lab.errors.length, 1, lab.errors.join("\n"));
    await lab.close({ expected: /capacity overflow/ });
});

test("graphics that are taken away are told", async () => {
    const lab = await Lab.open("cost-us=0");
    await lab.page.evaluate(() => gl.getExtension("WEBGL_lose_context").loseContext());
    await sentence(lab, /taken the graphics away/);
    await lab.context.close();
});

test("a program of more than two gigabytes goes on", async () => {
    const lab = await Lab.open("cost-us=0");
    // What is made from here on lies beyond them.
    await lab.page.evaluate(() => wasm_memory.grow(2 ** 31 / 2 ** 16));
    const { mouse } = lab.page;
    await mouse.move(...lab.onTrack("entities", 0.5));
    await mouse.down();
    await mouse.move(...lab.onTrack("entities", 1));
    await lab.until("knob entities", (line) => Number(line.what.match(/^knob entities (\d+)$/)?.[1]) > 500_000);
    await mouse.up();
    await lab.pictures();
    await lab.press("w", "view compare");
    await lab.pictures();
    await lab.press("k", "link");
    await lab.press("q", "view grid");
    await lab.close();
});
