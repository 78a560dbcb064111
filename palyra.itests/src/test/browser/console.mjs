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

const PASSWORD = "correct horse battery staple";
const phone = [360, 740, "dark"];
const desk = [1280, 850, "light"];

async function signIn(page) {
    await page.goto(`${url}/console/`);
    if (await page.locator("#password").count()) {
        await page.fill("#account", "ann");
        await page.fill("#password", PASSWORD);
        await page.getByRole("button", { name: "Sign in with a password" }).click();
        await page.waitForURL(`${url}/console/`);
    }
}

const main = await context(...desk);
const page = await main.newPage();

await story("first login makes an account and its password", async () => {
    await page.goto(`${url}/console/`);
    await look(page, "first");
    await page.fill("#token", process.env.PALYRA_TOKEN);
    await page.fill("#account", "ann");
    await page.getByRole("button", { name: "Make my account" }).click();
    await page.locator("#again").waitFor();
    await look(page, "invitation");
    await page.fill("#password", PASSWORD);
    await page.fill("#again", PASSWORD);
    await page.getByRole("button", { name: "Use a password" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    const cookies = await main.cookies();
    const session = cookies.find(cookie => cookie.name === "__Host-palyra");
    check(session?.httpOnly && session.secure && session.sameSite === "Strict", "the session's cookie is not guarded");
});

await story("every page is readable, wide and narrow, light and dark", async () => {
    const paths = await page.locator(".side nav a").evaluateAll(links => links.map(link => link.getAttribute("href")));
    check(paths.length >= 14, `the navigation has ${paths.length} pages`);
    paths.push("/console/account", "/console/policies/edit", "/console/policies/edit?file=default%2Fdefault.cedar");
    const narrow = await context(...phone);
    const small = await narrow.newPage();
    await signIn(small);
    for (const path of paths) {
        for (const [tab, width] of [[page, desk[0]], [small, phone[0]]]) {
            const answer = await tab.goto(url + path);
            check(answer.status() === 200, `${path} answers ${answer.status()}`);
            await look(tab, path.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "") + "-" + width);
        }
    }
    await narrow.close();
});

const script = turns => "#!palyra-script\n" + JSON.stringify({ turns });

await story("a call waits for a person, who allows it in another window", async () => {
    const watching = await main.newPage();
    await watching.goto(`${url}/console/`);
    await page.goto(`${url}/console/chat`);
    await page.selectOption("#agent", "writer");
    await page.fill("#message", script([
        [{ call: { tool: "palyra.fs.write_file", input: { path: "note.txt", content: "hello <b>world</b>" } } }],
        [{ say: "It is **written**. <img src=x onerror=alert(1)> [a link](javascript:alert(1))" }],
    ]));
    await page.getByRole("button", { name: "Send" }).click();
    const waits = page.getByText(/waits for a person|awaiting|waiting/i).first();
    await waits.waitFor({ timeout: 30_000 });
    await look(page, "call-waits");
    await watching.getByText("note.txt").waitFor({ timeout: 15_000 });
    await watching.close();
    const other = await main.newPage();
    await other.goto(`${url}/console/panel/approvals`);
    await look(other, "approvals");
    await other.locator(".table a").first().click();
    await other.getByRole("button", { name: "Allow", exact: true }).waitFor();
    await look(other, "approval");
    await other.getByRole("button", { name: "Allow", exact: true }).click();
    await page.locator("article.run .state", { hasText: /succeeded/i }).first().waitFor({ timeout: 30_000 });
    await other.close();
    await look(page, "run-ended");
    check(await page.locator("article.run strong", { hasText: "written" }).count() === 1, "the answer's emphasis is not shown");
    check(await page.locator("article.run img").count() === 0, "an answer loads an image");
    check(await page.locator("article.run a[href^=javascript]").count() === 0, "an answer has a link with a script");
});

await story("the tape is verified in the page", async () => {
    await page.locator("article.run a", { hasText: "Tape" }).first().click();
    await page.locator("#verification .good, #verification .notice.good").first().waitFor({ timeout: 30_000 });
    await page.locator("details.record summary").nth(2).click();
    await page.locator("details.record pre, details.record dl").first().waitFor();
    await look(page, "tape");
});

await story("a policy with a mistake is refused where it is, and applied without", async () => {
    await page.goto(`${url}/console/policies/edit`);
    await page.fill("#policy-file", "team.cedar");
    await page.locator("#policy-text").pressSequentially("permit (principal, action", { delay: 1 });
    await page.locator("#policy-answer .bad").first().waitFor({ timeout: 30_000 });
    await look(page, "policy-mistake");
    const good = '@id("team_reads_status")\n@reason("The team sees how the gateway is doing.")\n'
        + 'permit (principal, action == Action::"system.status", resource) when { principal.id == "user:team" };\n';
    await page.fill("#policy-text", good);
    await page.locator("#policy-text").press("End");
    await page.getByRole("button", { name: "Check" }).click();
    await page.locator("#policy-answer .notice").first().waitFor({ timeout: 30_000 });
    console.log("policy: " + (await page.locator("#policy-answer").innerText()).slice(0, 300));
    await page.getByRole("button", { name: "Apply" }).click();
    await page.locator("#policy-answer .notice").first().waitFor({ timeout: 30_000 });
    await page.goto(`${url}/console/policies`);
    check(await page.getByText("team_reads_status").count() > 0, "the applied policy is not in force");
});

await story("a swap under an open stream is seen, and nothing typed is lost", async () => {
    await page.goto(`${url}/console/chat`);
    await page.selectOption("#agent", "writer");
    await page.fill("#message", script([
        [{ call: { tool: "palyra.sleep", input: { millis: 4000 } } }],
        [{ say: "After the swap." }],
    ]));
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator("article.run").first().waitFor({ timeout: 30_000 });
    await page.fill("#message", "a draft that is kept");
    palyra("bundle", "update", "palyra.console");
    palyra("bundle", "update", "palyra.gateway");
    await page.locator("article.run").getByText("After the swap.").first().waitFor({ timeout: 60_000 });
    check(await page.inputValue("#message") === "a draft that is kept", "a draft was lost");
    check(await page.locator("article.run").getByText("After the swap.").count() === 1, "the answer is shown twice");
    await page.reload();
    check(await page.inputValue("#message") === "a draft that is kept", "a draft was lost over a reload");
});

await story("a foreign page may not send what the console takes", async () => {
    const cookies = (await main.cookies()).map(cookie => `${cookie.name}=${cookie.value}`).join("; ");
    const csrf = await page.locator('meta[name="palyra-csrf"]').getAttribute("content");
    const send = headers => fetch(`${url}/console/policies/reload`, {
        method: "POST", redirect: "manual", headers: { Cookie: cookies, ...headers },
    });
    check((await send({ Origin: "https://evil.example", "X-Palyra-Csrf": csrf })).status === 403, "another origin is accepted");
    check((await send({ "X-Palyra-Csrf": csrf })).status === 403, "a request without an origin is accepted");
    check((await send({ Origin: url })).status === 403, "a request without the session's token is accepted");
    const answer = await fetch(`${url}/console/`, { headers: { Cookie: cookies } });
    check(answer.headers.get("x-frame-options") === "DENY" && /frame-ancestors 'none'/.test(answer.headers.get("content-security-policy")), "the console may be framed");
});

await story("everything is there without a script", async () => {
    const plain = await context(...phone, { javaScriptEnabled: false });
    const tab = await plain.newPage();
    await signIn(tab);
    await tab.goto(`${url}/console/chat`);
    await tab.fill("#message", "good morning");
    await tab.getByRole("button", { name: "Send" }).click();
    await tab.getByText("good morning").first().waitFor();
    await tab.screenshot({ path: `${results}/without-script.png` });
    await plain.close();
});

await browser.close();
console.log(failures.length === 0 ? "all stories passed" : `${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);
