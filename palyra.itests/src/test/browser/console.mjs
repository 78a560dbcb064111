// Tests of the console in a real browser. ConsoleBrowserIT starts the product and this.
//   PALYRA_URL      where the console is, without a slash at the end
//   PALYRA_TOKEN    the bootstrap token
//   PALYRA_COMMAND  JSON array: the words that run a palyra command
//   PALYRA_RESULTS  folder for screenshots
// A violation of the content security policy, an error of a script, a serious finding of axe, or a
// page wider than the window fails the test. Exit code 0: all passed.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const url = process.env.PALYRA_URL;
const results = process.env.PALYRA_RESULTS;
const words = JSON.parse(process.env.PALYRA_COMMAND);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
mkdirSync(results, { recursive: true });

const failures = [];
function check(holds, sentence) {
    if (!holds) {
        failures.push(sentence);
        console.log("FAILED " + sentence);
    }
}

function palyra(...argv) {
    return execFileSync(words[0], [...words.slice(1), ...argv], { encoding: "utf8" });
}

const browser = await chromium.launch({
    executablePath: process.env.PALYRA_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
});

async function context(width, height, colorScheme, options = {}) {
    const made = await browser.newContext({ viewport: { width, height }, colorScheme, ...options });
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

async function look(page, name) {
    await page.screenshot({ path: `${results}/${name}.png` });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    check(wide <= 0, `${name}: the page is ${wide} pixels wider than the window`);
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run());
    for (const one of found.violations.filter(v => ["serious", "critical"].includes(v.impact))) {
        check(false, `${name}: axe ${one.id} at ${one.nodes[0].html.slice(0, 200)}`);
    }
}

async function story(name, steps) {
    const begun = Date.now();
    try {
        await steps();
        console.log(`story ${name}: ${Date.now() - begun} ms`);
    } catch (error) {
        check(false, `${name}: ${error.message.split("\n").slice(0, 4).join(" ")}`);
    }
}

export { browser, check, context, failures, look, palyra, results, story, url };
