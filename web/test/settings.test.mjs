// Settings in the address, links to them, and the tour.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Lab, number } from "./lab.mjs";

test("the address sets strategy, loop and knobs", async () => {
    const lab = await Lab.open("strategy=stagger-groups&entities=5000&groups=20&cost-us=0&loop=fixed-step");
    const [frame] = await lab.frames(1);
    assert.equal(number(frame, "entities"), 5000);
    assert.equal(await lab.notice(), null);
    await lab.press("k", "link ?strategy=stagger-groups&loop=fixed-step&entities=5000&cost-us=0&groups=20");
    await lab.close();
});

test("the address opens every view", async () => {
    for (const view of ["grid", "compare", "loops"]) {
        const lab = await Lab.open(`view=${view}&still=60`);
        assert.deepEqual([lab.places.has("all:entities"), lab.places.has("tab:every-frame")], [view === "compare", view === "grid"]);
        assert.ok(lab.places.has("capsules") === (view === "grid"), view);
        await lab.close();
    }
});

test("invalid parameters are reported and get their defaults", async () => {
    const lab = await Lab.open("strategy=unknown&entities=2000000&groups=7&size=9x9&cost-us=0");
    const complaints = (await lab.notice()).split("\n");
    assert.equal(complaints.length, 3);
    for (const [index, part] of [/unknown/, /entities.*2000000/, /size/].entries()) {
        assert.match(complaints[index], part);
    }
    assert.equal(number((await lab.frames(1))[0], "entities"), 400);
    assert.ok((await lab.picture()).colours() > 500, "the page is not blank");
    await lab.press("k", "link ?cost-us=0&groups=7");
    await lab.close();
});

test("the link button copies a link to the settings", async () => {
    const lab = await Lab.open("entities=100&cost-us=0", { permissions: ["clipboard-read", "clipboard-write"] });
    await lab.select("time-budget");
    await lab.pictures();
    await lab.page.mouse.move(...lab.onTrack("budget-ms", 0.5));
    await lab.page.mouse.down();
    await lab.page.mouse.move(...lab.onTrack("budget-ms", 0.8));
    await lab.page.mouse.up();
    await lab.frames(2);
    const { what: knob } = lab.lines.findLast((line) => line.what.startsWith("knob budget-ms"));
    const { what } = await lab.click("button:K", "link");
    await lab.page.locator("#notice").waitFor();
    const link = await lab.page.evaluate(() => navigator.clipboard.readText());
    const query = `strategy=time-budget&entities=100&cost-us=0&budget-ms=${knob.split(" ")[2]}`;
    assert.equal(what, `link ?${query}`);
    assert.equal(link, `${lab.url}?${query}`);
    const again = await Lab.open(query);
    await again.press("k", `link ?${query}`);
    await again.close();
    await lab.close();
});

test("the Copy button copies the code with the current knobs", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    const lab = await Lab.open("strategy=time-budget&budget-ms=33.3&cost-us=0", { permissions });
    await lab.press("u", "code shown");
    await lab.pictures();
    await lab.click("button:Copy", "copied code of time-budget");
    await lab.page.locator("#notice").waitFor();
    assert.equal(await lab.notice(), "Copied the code.");
    const code = await lab.page.evaluate(() => navigator.clipboard.readText());
    const lines = code.split("\n");
    assert.ok(lines.includes("use timeslicer::strategy::TimeBudget;"), code);
    assert.ok(lines.includes("let strategy = TimeBudget::new(Duration::from_micros(33300))"), code);
    assert.equal(lines.at(-2), "thinking.remove(task); // when it dies");
    await lab.click("button:C#", "code in C#");
    await lab.pictures();
    await lab.click("button:Copy", "copied code of time-budget");
    await lab.page.waitForFunction(async () => {
        const file = await navigator.clipboard.readText();
        return file.includes("new TimeBudget(Nanos.FromMilliseconds(33.3))") && file.includes("class TimeBudget");
    });
    await lab.close();
});

test("the link is shown if the browser denies copying", async () => {
    const lab = await Lab.open("cost-us=0", {
        init: () => {
            navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
        },
    });
    await lab.press("k", "link ?cost-us=0");
    const words = lab.page.locator("#words").filter({ hasText: `${lab.url}?cost-us=0` });
    await words.waitFor();
    await lab.page.locator("#close").click();
    assert.equal(await lab.notice(), null);
    await lab.close();
});

test("the tour is offered until the user does something", async () => {
    const lab = await Lab.open("cost-us=0&still=60", { logged: false });
    await lab.page.locator("#curtain").waitFor({ state: "hidden" });
    const isCard = (red, green, blue) => red === 0x1a && green === 0x1d && blue === 0x23;
    // The card is in the lower left corner of the capsules.
    const corner = { x: 268, y: 440, width: 400, height: 110 };
    const shown = async () => (await lab.picture()).count(corner, isCard) > 10_000;
    await lab.pictures();
    assert.ok(await shown(), "the offer");
    await lab.page.keyboard.press("Escape");
    await lab.pictures();
    assert.ok(!(await shown()), "the offer is closed");
    await lab.close();
});

test("an address opens the tour", async () => {
    const lab = await Lab.open("cost-us=0&tour=1");
    await lab.press("4", "tour done 1"); // only the tour recognises this
    await lab.pictures();
    await lab.page.mouse.click(...lab.middle("tour:next"));
    await lab.until("tour step 2");
    await lab.press("Escape", "tour over");
    await lab.close();
});

test("a dropped file sets the task costs, and a link says that it lacks them", async () => {
    const lab = await Lab.open("entities=20&cost-us=0", { permissions: ["clipboard-read", "clipboard-write"] });
    await lab.drop([["costs.txt", "# zombies\r\n1\r\n2.5\r\n7\r\n"]]);
    await lab.until("costs 3");
    await lab.pictures();
    assert.ok(lab.places.has("part:costs") && lab.places.has("revert:costs"));
    await lab.drop([["größe 日本.txt", "1\nmany\n"]]);
    const { what } = await lab.until("not opened:");
    assert.match(what, /größe 日本\.txt: line 2: .*'many'/);
    const calls = "think,1500\n".repeat(1_900_000); // about 20 MB
    await lab.drop([["large.csv", "zone,exec_time_ns\n" + calls], ["b.txt", "2\n"]]);
    await lab.until("asked about a capture");
    await lab.press("Enter", "costs 1000000");
    await lab.until("costs 1");
    await lab.press("k", "link ?entities=20&cost-us=0");
    await lab.page.locator("#notice").waitFor();
    assert.match(await lab.notice(), /except the task costs from your file/);
    await lab.click("revert:costs", "costs by knobs");
    await lab.close();
});
