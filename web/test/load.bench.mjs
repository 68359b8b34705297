// Measures the time from the start of loading to the first frame, on this computer: `npm run bench`. It needs an idle
// computer, and is no test.

import { test } from "node:test";
import { Lab } from "./lab.mjs";

/// Number of loads. The fastest counts, because other load on the computer only adds time.
const LOADS = 8;

test("the time until the first frame", async (t) => {
    const took = [];
    for (let load = 0; load < LOADS; load++) {
        const lab = await Lab.open("", { logged: false });
        // The page hides the curtain when it has drawn the first frame. Its clock begins with the navigation.
        const shown = await lab.page.waitForFunction(() => document.getElementById("curtain").hidden && performance.now());
        took.push(Math.round(await shown.jsonValue()));
        await lab.close();
    }
    t.diagnostic(`first frame after ${Math.min(...took)} ms; all loads: ${took.join(", ")} ms`);
});
