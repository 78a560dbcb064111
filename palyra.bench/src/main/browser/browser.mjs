// Does in Chromium what the benchmarks of the console ask for: one JSON object a line on standard
// input, one a line back. Clocks: microseconds of unix time, which browser and benchmark share.
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const browser = await chromium.launch({
    executablePath: process.env.PALYRA_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
});
const viewport = { width: 1280, height: 850 };
let context;
let page;

/* Interactive is a page whose scripts have run and whose thread is free to answer. */
const watch = () => {
    addEventListener("DOMContentLoaded", () => requestIdleCallback(() => {
        globalThis.interactiveMillis = performance.now();
    }));
    const now = () => (performance.timeOrigin + performance.now()) * 1000;
    const seen = globalThis.tokenMicros = [];
    new MutationObserver(() => {
        let text = "";
        for (const place of document.querySelectorAll("[data-live-text], article.run .text, #bare")) {
            text = place.textContent.length > text.length ? place.textContent : text;
        }
        const last = text.trimEnd().match(/(\d{7})$/);
        if (last) {
            const at = now();
            for (let token = seen.length; token <= Number(last[1]); token++) { seen.push(at); }
        }
    }).observe(document, { childList: true, subtree: true, characterData: true });
};

async function fresh(job) {
    await context?.close();
    context = await browser.newContext({ viewport, reducedMotion: "reduce" });
    if (job.cookie) {
        await context.addCookies([{
            name: "__Host-palyra", value: job.cookie, url: job.url.replace("http:", "https:"), secure: true,
        }]);
    }
    await context.addInitScript(watch);
    page = await context.newPage();
    return {};
}

/* Looks from outside, since the console's policy allows no code from text; a page may be loaded meanwhile. */
async function until(holds, argument) {
    const end = Date.now() + 60_000;
    while (!await page.evaluate(holds, argument).catch(() => false)) {
        if (Date.now() > end) { throw new Error(`${page.url()} did not come to where it should be`); }
        await new Promise(over => setTimeout(over, 50));
    }
}

async function load(job) {
    const answer = await page.goto(job.url, { waitUntil: "load" });
    await until(() => globalThis.interactiveMillis > 0);
    const millis = await page.evaluate(() => globalThis.interactiveMillis);
    const bytes = await page.evaluate(() =>
        [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
            .filter(entry => !entry.name.includes("/console/events"))
            .reduce((sum, entry) => sum + entry.decodedBodySize, 0));
    return { status: answer.status(), millis, bytes, title: await page.title() };
}

/* Waits until every token is on the screen. */
async function tokens(count) {
    await until(count => globalThis.tokenMicros.length >= count, count);
    return { micros: await page.evaluate(() => globalThis.tokenMicros) };
}

/* Sends a message in the chat; the page that follows shows the answer. */
async function chat(job) {
    await page.goto(job.url + "/console/chat");
    await page.fill("#message", "Speak.");
    const askedMicros = await page.evaluate(() => (performance.timeOrigin + performance.now()) * 1000);
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL("**/console/sessions/**");
    return { askedMicros, ...await tokens(job.tokens) };
}

/* A page of nothing but the answer, which it asks the model for by itself. */
async function bare(job) {
    await page.goto(job.url);
    const askedMicros = await page.evaluate(() => {
        globalThis.ask();
        return (performance.timeOrigin + performance.now()) * 1000;
    });
    return { askedMicros, ...await tokens(job.tokens) };
}

const jobs = { fresh, load, chat, bare };
console.log(JSON.stringify({ ready: true }));
for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line);
    let said;
    try {
        said = await jobs[job.do](job);
    } catch (error) {
        said = { error: String(error.message).split("\n").slice(0, 4).join(" ") };
    }
    console.log(JSON.stringify(said));
}
await browser.close();
