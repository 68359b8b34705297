// Images: flashing capsules, views at every size, scale and zoom, and exported files.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Lab, unzipped } from "./lab.mjs";
import { Picture, isRed } from "./picture.mjs";

test("capsules flash red and fade", async () => {
    const lab = await Lab.open("strategy=all-at-once&interval-s=3&fade-ms=600&entities=100&cost-us=0", {
        viewport: { width: 900, height: 600 },
    });
    const view = lab.place("capsules");
    const red = async () => (await lab.picture({ clip: view })).count({ ...view, x: 0, y: 0 }, isRed);
    for (let round = 0; round < 2; round++) {
        await lab.waitWhile(async () => (await red()) < 10_000);
        await lab.waitWhile(async () => (await red()) > 200);
    }
    await lab.close();
});

test("a resized window is filled, and its controls work", async () => {
    const lab = await Lab.open("cost-us=0&still=60");
    for (const [width, height] of [[900, 600], [1440, 900], [640, 400], [1920, 1080], [1280, 800]]) {
        const read = lab.lines.length;
        await lab.page.setViewportSize({ width, height });
        await lab.until("control part:bar", (line) => line.what.startsWith(`control part:bar 0 0 ${width} `));
        await lab.until("settled");
        const picture = await lab.picture();
        assert.ok(picture.colours() > 300, `${width}x${height}`);
        // The bar reaches the right edge, and the panel the bottom.
        assert.deepEqual(picture.at(width - 2, 4), [0x1a, 0x1d, 0x23], `${width}x${height}`);
        assert.deepEqual(picture.at(4, height - 2), [0x1a, 0x1d, 0x23], `${width}x${height}`);
        assert.ok(lab.lines.length > read);
        const size = await lab.page.evaluate(() => [canvas.width, canvas.height]);
        assert.deepEqual(size, [width, height]);
    }
    await lab.select("every-frame");
    await lab.close();
});

test("HiDPI displays are drawn at full resolution", async () => {
    for (const scale of [1.25, 1.5, 2, 3]) {
        const viewport = { width: 901, height: 599 };
        const lab = await Lab.open("cost-us=0&still=60", { deviceScaleFactor: scale, viewport });
        const [width, height, shownWidth, shownHeight] = await lab.page.evaluate(() => {
            const { width, height } = canvas.getBoundingClientRect();
            return [canvas.width, canvas.height, width, height];
        });
        assert.equal(width, Math.floor(viewport.width * scale));
        assert.equal(height, Math.floor(viewport.height * scale));
        assert.ok(Math.abs(shownWidth * scale - width) < 0.05, `${shownWidth} at ${scale}`);
        assert.ok(Math.abs(shownHeight * scale - height) < 0.05, `${shownHeight} at ${scale}`);
        const { height: bar } = lab.place("part:bar");
        assert.ok(Math.abs(bar - 44) < 1, `${bar}`);
        await lab.click("tab:every-frame", "strategy every-frame");
        await lab.close();
    }
});

test("the interface follows the browser's zoom", async () => {
    const lab = await Lab.open("cost-us=0&still=60", { viewport: { width: 1200, height: 780 } });
    const session = await lab.context.newCDPSession(lab.page);
    for (const zoom of [1.5, 2, 0.75, 1]) {
        const [width, height] = [1200 / zoom, 780 / zoom];
        const metrics = { width, height, deviceScaleFactor: zoom, mobile: false };
        await session.send("Emulation.setDeviceMetricsOverride", metrics);
        lab.scale = zoom;
        await lab.until("control part:bar", (line) => line.what === `control part:bar 0 0 1200 ${44 * zoom}`);
        await lab.pictures();
        assert.deepEqual(await lab.page.evaluate(() => [canvas.width, canvas.height]), [1200, 780]);
        await lab.click("button:R", "restarted");
    }
    await lab.close();
});

test("every view draws at every size", async () => {
    for (const view of ["grid", "compare", "loops"]) {
        for (const [width, height] of [[900, 600], [390, 844]]) {
            const lab = await Lab.open(`view=${view}&still=60`, { viewport: { width, height } });
            assert.ok((await lab.picture()).colours() > 200, `${view} ${width}x${height}`);
            await lab.close();
        }
    }
});

test("the page draws the same pictures as the window", async () => {
    const BLOCK = 8; // as in tests/program/window/support/blocks.rs
    for (const view of ["grid", "compare", "loops"]) {
        const lab = await Lab.open(`still=486&view=${view}`);
        const here = await lab.picture();
        const kept = Picture.of(await readFile(new URL(`../../tests/pictures/${view}.png`, import.meta.url)));
        let [off, all] = [0, 0];
        // The page tries fewer settings for the curves of Compare, so the chart is compared only by its frame.
        const curves = { left: 312, right: 656, top: 656, bottom: 776 };
        const isCurve = (x, y) => view === "compare" && x >= curves.left && x < curves.right && y >= curves.top && y < curves.bottom;
        // Skip the toolbar, because it shows other keys on a page than in the window.
        for (let row = Math.ceil(44 / BLOCK); row < kept.height; row++) {
            for (let column = 0; column < kept.width; column++) {
                if (isCurve(column * BLOCK, row * BLOCK)) {
                    continue;
                }
                const mean = here.mean({ x: column * BLOCK, y: row * BLOCK, width: BLOCK, height: BLOCK });
                const there = kept.at(column, row);
                const far = Math.max(...mean.map((value, index) => Math.abs(value - there[index])));
                off += far > 12 ? 1 : 0;
                all += 1;
            }
        }
        assert.ok(off < 0.002 * all, `${view}: ${off} of ${all} blocks differ`);
        await lab.close();
    }
});

test("a screenshot downloads the picture on the page", async () => {
    const lab = await Lab.open("cost-us=0&still=60");
    const shown = await lab.picture();
    const { name, bytes } = await lab.download("i", "screenshot");
    assert.match(name, /^timeslice-lab-grid-\d+\.png$/);
    const saved = Picture.of(bytes);
    assert.deepEqual([saved.width, saved.height], [1280, 800]);
    assert.ok(saved.differs(shown) < 200, `${saved.differs(shown)} pixels`);
    await lab.close();
});

test("each view exports its files in one archive", async () => {
    for (const [view, names] of [
        ["grid", ["frames.csv", "trace.json", "settings.txt", "picture.png"]],
        ["compare", ["compare.json", "compare.txt", "settings.txt", "picture.png"]],
        ["loops", ["settings.txt", "picture.png"]],
    ]) {
        const lab = await Lab.open(`view=${view}&still=60`);
        const { name, bytes } = await lab.download("d", "exported");
        const { folder, files } = unzipped(bytes);
        assert.equal(name, `${folder}.zip`);
        assert.deepEqual([...files.keys()], names);
        assert.ok(Picture.of(files.get("picture.png")).colours() > 200);
        if (view === "grid") {
            assert.equal(files.get("frames.csv").toString().trim().split("\n").length, 61);
            assert.ok(JSON.parse(files.get("trace.json")).traceEvents.length > 100);
        }
        await lab.close();
    }
});
