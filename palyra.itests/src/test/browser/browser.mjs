// What the tests in Chromium have in common. A violation of the content security policy, an error of a
// script, a serious finding of axe, or a page wider than the window fails the test.
//   PALYRA_URL       where the gateway is, without a slash at the end
//   PALYRA_RESULTS   folder for screenshots
//   PALYRA_CHROMIUM  the browser's program; /usr/bin/chromium without it
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

export const url = process.env.PALYRA_URL;
export const results = process.env.PALYRA_RESULTS;
export const PASSWORD = "correct horse battery staple";
export const phone = { width: 360, height: 740 };
export const desk = { width: 1280, height: 850 };

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
mkdirSync(results, { recursive: true });

const failures = [];
export function check(holds, sentence) {
    if (!holds) {
        failures.push(sentence);
        console.log("FAILED " + sentence);
    }
}

export const browser = await chromium.launch({
    executablePath: process.env.PALYRA_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
});

export async function context(viewport, colorScheme, options = {}) {
    const made = await browser.newContext({ viewport, colorScheme, ...options });
    made.on("page", page => {
        page.on("pageerror", error => check(false, page.url() + ": " + error.message));
        page.on("console", message => {
            const text = message.text();
            if (/Content Security Policy|Trusted|\[hx-csp\]|Refused to/i.test(text)) {
                check(false, page.url() + ": " + text.slice(0, 300));
            }
        });
    });
    return made;
}

/* The elements that reach over the edge without a box of their own that scrolls. */
const overhang = () => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    const scrolls = element => {
        for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
            if (getComputedStyle(box).overflowX !== "visible") { return true; }
        }
        return false;
    };
    const over = wide <= 0 ? [] : [...document.body.querySelectorAll("*")].filter(
        element => element.getBoundingClientRect().right > innerWidth && !scrolls(element));
    return { wide, by: over.slice(-1).map(element => element.outerHTML.slice(0, 300)).join() };
};

/* Rules of axe that another width or theme of the same page may break; the others look at markup alone. */
export const OF_STYLE = { type: "rule", values: [
    "color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable",
    "aria-hidden-focus", "button-name", "link-name", "summary-name", "label", "select-name",
    "nested-interactive", "focus-order-semantics", "landmark-unique", "skip-link" ] };

const spent = { pictures: 0, axe: 0 };
async function timed(what, work) {
    const begun = Date.now();
    const made = await work();
    spent[what] += Date.now() - begun;
    return made;
}

/* Looks at a page as it is now: a picture, its width, and axe with all rules or those named. */
export async function look(page, name, runOnly) {
    await timed("pictures", () => page.screenshot({ path: `${results}/${name}.jpg`, quality: 80 }));
    const { wide, by } = await page.evaluate(overhang);
    check(wide <= 0, `${name}: the page is ${wide} pixels wider than the window: ${by}`);
    const found = await timed("axe", async () => {
        if (!await page.evaluate(() => "axe" in window)) {
            await page.evaluate(axe); // by the debugger, which no policy of the page concerns
        }
        return page.evaluate(async options => (await window.axe.run(options)).violations,
            { resultTypes: ["violations"], ...(runOnly && { runOnly, preload: false }) });
    });
    for (const one of found.filter(violation => ["serious", "critical"].includes(violation.impact))) {
        check(false, `${name}: axe ${one.id} at ${one.nodes[0].html.slice(0, 200)}`);
    }
}

export async function story(name, steps) {
    const begun = Date.now();
    try {
        await steps();
        console.log(`story ${name}: ${Date.now() - begun} ms`);
    } catch (error) {
        check(false, `${name}: ${error.message.split("\n").slice(0, 4).join(" ")}`);
    }
}

/* Signs ann in, if the page asks for it. */
export async function signIn(page) {
    await page.goto(`${url}/console/`);
    if (await page.locator("#password").count()) {
        await page.fill("#account", "ann");
        await page.fill("#password", PASSWORD);
        await page.getByRole("button", { name: "Sign in with a password" }).click();
        await page.waitForURL(`${url}/console/`);
    }
}

export async function end() {
    await browser.close();
    console.log(`spent on ${JSON.stringify(spent)} ms`);
    console.log(failures.length === 0 ? "all stories passed" : `${failures.length} failures`);
    process.exit(failures.length === 0 ? 0 : 1);
}
