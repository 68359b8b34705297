// Takes screenshots/views/page.png of the page in Chromium: node web/test/shoot.mjs [FILE]. Run web/build.sh first.

import { fileURLToPath } from "node:url";
import { browser, serve } from "./lab.mjs";

const file = process.argv[2] ?? fileURLToPath(new URL("../../screenshots/views/page.png", import.meta.url));
const chromium = await browser();
const server = await serve();
const page = await chromium.newPage({ viewport: { width: 1280, height: 800 } });
page.on("console", (message) => message.type() === "error" && console.error(message.text()));
await page.goto(`${server.url}?strategy=stagger-groups&groups=20&still=300`);
await page.locator("#curtain").waitFor({ state: "hidden" });
await page.keyboard.press("Escape"); // hides the offer of the tour
await page.waitForTimeout(1000);
await page.screenshot({ path: file });
console.log(file);
await chromium.close();
await server.close();
