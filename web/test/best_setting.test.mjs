// The best setting in Compare: the answer, curves, links, and how much of each frame's time the search takes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Lab, number } from "./lab.mjs";

const LIMITS = "near-ms=150&worst-s=3";

test("Set sets the best setting, and a link has the limits", async () => {
    const lab = await Lab.open(`view=compare&still=60&entities=60&${LIMITS}`);
    for (const name of ["answer", "set:best", "copy:rust", "trade-off"]) {
        lab.place(name);
    }
    const best = await lab.click("set:best", "selected");
    assert.match(best.what, /^selected [a-z-]+$/);
    const [, knob, value] = lab.lines.findLast(({ what }) => what.startsWith("knob ")).what.split(" ");
    const { what: link } = await lab.press("k", "link");
    const pairs = link.split("?")[1].split("&");
    for (const pair of [`${knob}=${value}`, "view=compare", ...LIMITS.split("&")]) {
        assert.ok(pairs.includes(pair), `${pair} in ${link}`);
    }
    const again = await Lab.open(`still=60&${link.split("?")[1]}`);
    await again.press("k", link);
    await again.close();
    await lab.close();
});

test("the search takes little time from each frame", async (context) => {
    for (const [entities, most] of [[2_000, 40], [20_000, 60]]) {
        const lab = await Lab.open(`view=compare&entities=${entities}&${LIMITS}&log=-`, { logged: false });
        await lab.until("updated and laid out");
        // In a pause, only the search and the layout take time.
        await lab.press("Space", "paused");
        // A busy computer interrupts some frames, so thirty short frames in a row are enough. A slice of the search that
        // takes too long would do so again and again.
        let calmFrames = 0;
        const { what } = await lab.until("thirty short frames", ({ what }) => {
            assert.ok(!what.startsWith("recommended"), "the search is over before thirty short frames");
            if (what.startsWith("updated and laid out ")) {
                calmFrames = number({ what }, "in") < most ? calmFrames + 1 : 0;
            }
            return calmFrames === 30;
        });
        context.diagnostic(`${entities} entities: ${what}`);
        await lab.close();
    }
});

test("an answer appears while the game runs, and again for new settings", async (context) => {
    const lab = await Lab.open("view=compare&entities=300&log=-", { logged: false });
    context.diagnostic((await lab.until("recommended")).what);
    await lab.pictures();
    await lab.page.mouse.click(...lab.onTrack("all:entities", 0.4));
    context.diagnostic((await lab.until("recommended")).what);
    await lab.close();
});
