// Tests of the console in a real browser. ConsoleBrowserIT starts the product and this; what it needs
// besides browser.mjs:
//   PALYRA_TOKEN    the bootstrap token
//   PALYRA_COMMAND  JSON array: the words that run a palyra command
import { execFileSync } from "node:child_process";
import { OF_STYLE, PASSWORD, check, context, desk, end, look, phone, results, signIn, story, url } from "./browser.mjs";

const words = JSON.parse(process.env.PALYRA_COMMAND);

function palyra(...argv) {
    return execFileSync(words[0], [...words.slice(1), ...argv], { encoding: "utf8" });
}

const main = await context(desk, "light");
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
    for (const path of paths) {
        const answer = await page.goto(url + path);
        check(answer.status() === 200, `${path} answers ${answer.status()}`);
        const name = path.replace(/[^a-z0-9]+/gi, "-").replace(/^-|-$/g, "");
        await look(page, `${name}-${desk.width}`);
        await page.setViewportSize(phone);
        await page.emulateMedia({ colorScheme: "dark" });
        await look(page, `${name}-${phone.width}`, OF_STYLE);
        await page.setViewportSize(desk);
        await page.emulateMedia({ colorScheme: "light" });
    }
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
    const state = page.locator("article.run .run-head .state");
    await state.filter({ hasText: /^waits for approval$/ }).waitFor({ timeout: 30_000 });
    await page.evaluate(() => { window.sameDocument = true; });
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
    await state.filter({ hasText: /^done$/ }).waitFor({ timeout: 30_000 });
    await other.close();
    check(await page.evaluate(() => window.sameDocument === true), "the page was loaded again to show how the run ended");
    await look(page, "run-ended");
    check(await page.locator("article.run strong", { hasText: "written" }).count() === 1, "the answer's emphasis is not shown");
    check(await page.locator("article.run img").count() === 0, "an answer loads an image");
    check(await page.locator("article.run a[href^=javascript]").count() === 0, "an answer has a link with a script");
});

await story("the tape is verified in the page", async () => {
    await page.locator("article.run a", { hasText: "Tape" }).first().click();
    const verdict = page.locator("#verification dl > div", { hasText: /^\s*Tape/ }).locator(".state.good");
    await verdict.waitFor({ timeout: 30_000 });
    check(await verdict.innerText() === "whole", "the tape of a good run is called " + await verdict.innerText());
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
    const said = page.locator("article.run .said.agent").getByText("After the swap.");
    await page.locator("article.run .run-head .state", { hasText: /^done$/ }).waitFor({ timeout: 60_000 });
    await said.first().waitFor();
    check(await page.inputValue("#message") === "a draft that is kept", "a draft was lost");
    check(await said.filter({ visible: true }).count() === 1, "the answer is not shown once, but " + await said.count() + " times");
    await page.reload();
    check(await page.inputValue("#message") === "a draft that is kept", "a draft was lost over a reload");
});

await story("a tab behind others connects when it is shown", async () => {
    const behind = await main.newPage();
    await behind.addInitScript(() => {
        window.covered = true;
        Object.defineProperty(Document.prototype, "hidden", { get: () => window.covered });
    });
    const streams = [];
    const ofStream = request => request.url().includes("/console/events");
    behind.on("request", request => ofStream(request) && streams.push(request.url()));
    await behind.goto(`${url}/console/tape`);
    await behind.goto(`${url}/console/`);
    check(streams.length === 0, "a tab that is not shown has a connection");
    const connected = behind.waitForRequest(ofStream);
    await behind.evaluate(() => {
        window.covered = false;
        document.dispatchEvent(new Event("visibilitychange"));
    });
    await connected;
    await behind.close();
});

/* Opens a tab that a story covers and shows again, as another tab before it does. */
async function coverable(path, covered) {
    const tab = await main.newPage();
    const parts = partsOf(tab);
    await tab.addInitScript(begin => {
        window.covered = begin;
        Object.defineProperty(Document.prototype, "hidden", { get: () => window.covered });
    }, covered);
    await tab.goto(url + path);
    return { tab, parts, cover: now => tab.evaluate(hidden => {
        window.covered = hidden;
        document.dispatchEvent(new Event("visibilitychange"));
    }, now) };
}

function ofPart(request) {
    return request.headers()["hx-request"] === "true" && !request.url().includes("/events");
}

/* Returns the parts that a tab has loaded by itself, also those to come. */
function partsOf(tab) {
    const parts = [];
    tab.on("response", answer => ofPart(answer.request()) && parts.push(answer.url()));
    return parts;
}

async function until(what, holds) {
    for (const end = Date.now() + 15_000; !holds();) {
        if (Date.now() > end) {
            throw new Error("it did not happen within 15 s: " + what);
        }
        await new Promise(resolve => setTimeout(resolve, 50));
    }
}

await story("what happened while a tab had no stream is there when it has one again", async () => {
    const { tab, parts, cover } = await coverable("/console/runs", false);
    await until("the first stream is open", () => parts.length > 0);
    await cover(true);
    const run = JSON.parse(palyra("ask", "--new", "--json", "said behind the tab")).runId;
    check(await tab.locator(`#row-${run}`).count() === 0, "a tab without a stream knows of a run");
    await cover(false);
    await tab.locator(`#row-${run}`).waitFor({ timeout: 15_000 });
    await tab.goto(`${url}/console/runs?before=${run}`);
    check(await tab.locator("#runs").getAttribute("hx-trigger") === "never", "a page of older runs becomes one of the newest");
    await tab.close();
});

await story("a part that cannot be loaded stays as it is and is asked for again", async () => {
    const tab = await main.newPage();
    let away = true;
    await tab.route("**/console/panel/approvals", route => away && ofPart(route.request())
        ? route.fulfill({ status: 503, contentType: "text/html", body: "<p id=broken>broken</p>" })
        : route.continue());
    await tab.goto(`${url}/console/panel/approvals`);
    const note = tab.locator("#connection");
    await note.filter({ hasText: "trying again" }).waitFor({ timeout: 15_000 });
    check(await tab.locator("#broken").count() === 0, "an error took the place of the page");
    check(await tab.locator("#panel h1").count() === 1, "the page is gone");
    away = false;
    await note.waitFor({ state: "hidden", timeout: 30_000 });
    await tab.close();
});

await story("a stream that is refused at first is connected later", async () => {
    const tab = await main.newPage();
    let full = true;
    await tab.route("**/console/events*", route => full
        ? route.fulfill({ status: 429, contentType: "text/html", body: "no",
            headers: { "Content-Security-Policy": "default-src 'none'", "X-Palyra-Problem": "ann%20has%2020%20tabs." } })
        : route.continue());
    await tab.goto(`${url}/console/`);
    const note = tab.locator("#connection");
    await note.filter({ hasText: "ann has 20 tabs." }).waitFor({ timeout: 15_000 });
    full = false;
    await note.waitFor({ state: "hidden", timeout: 30_000 });
    await tab.close();
});

await story("a page of what nothing tells the changes of loads itself again, but not under a person", async () => {
    const tab = await main.newPage();
    await tab.clock.install();
    const parts = partsOf(tab);
    await tab.goto(`${url}/console/panel/bundles`);
    check(parts.length === 0, "a page without hints was loaded by one");
    await tab.clock.fastForward(16_000);
    await until("the bundles are loaded again", () => parts.length > 0);
    parts.length = 0;
    await tab.goto(`${url}/console/panel/channels`);
    await until("its stream is open", () => parts.length > 0);
    await tab.locator("#replay-message").fill("typed");
    const asked = [];
    tab.on("request", request => ofPart(request) && asked.push(request.url()));
    await tab.clock.fastForward(16_000);
    await tab.clock.fastForward(16_000);
    await tab.evaluate(() => fetch("/console/account").then(answer => answer.text())); // comes after it
    check(asked.length === 0, "a page was loaded under what a person types");
    check(await tab.inputValue("#replay-message") === "typed", "what was typed is gone");
    await tab.close();
});

await story("a draft is its account's, ends with the sign-out, and not by what another form sent", async () => {
    const sent = page.url();
    check(/sent=.*&key=/.test(sent), "the page does not say with which key its message was sent: " + sent);
    const own = await context(desk, "light");
    const tab = await own.newPage();
    await signIn(tab);
    await tab.goto(`${url}/console/chat`);
    await tab.fill("#message", "not sent yet");
    await tab.route("**/console/chat", route => route.request().method() === "POST" ? route.abort() : route.continue());
    await tab.getByRole("button", { name: "Send" }).click();
    await tab.locator("#connection").filter({ hasText: "Nothing typed is lost" }).waitFor({ timeout: 15_000 });
    await tab.goto(sent);
    await tab.goto(`${url}/console/chat`);
    check(await tab.inputValue("#message") === "not sent yet", "a draft ended by a message of another form");
    await tab.unroute("**/console/chat");
    await tab.getByRole("button", { name: "Send" }).click();
    await tab.waitForURL(/sent=/);
    await tab.goto(`${url}/console/chat`);
    check(await tab.inputValue("#message") === "", "a draft is there after it was sent");
    await tab.goto(`${url}/console/policies/edit`);
    await tab.fill("#policy-file", "draft.cedar");
    await tab.fill("#policy-text", "// a draft");
    await tab.goto(`${url}/console/policies/edit`);
    check(await tab.inputValue("#policy-text") === "// a draft", "a draft of a policy was lost");
    check(await tab.inputValue("#policy-file") === "draft.cedar", "the name of a draft was lost");
    await look(tab, "policy-draft");
    check(await tab.evaluate(() => Object.keys(sessionStorage).some(name => name.includes("user:ann:"))), "a draft does not name its account");
    await tab.locator(".person summary").click();
    await tab.locator(".person").getByRole("button", { name: "Sign out" }).click();
    await tab.locator("#password").waitFor();
    check(await tab.evaluate(() => Object.keys(sessionStorage).every(name => !name.startsWith("palyra-draft"))), "a draft is there after the sign-out");
    await own.close();
});

await story("a session that ended keeps what was typed", async () => {
    const own = await context(desk, "light");
    const tab = await own.newPage();
    await signIn(tab);
    await tab.goto(`${url}/console/policies/edit`);
    await tab.fill("#policy-file", "kept.cedar");
    await own.clearCookies();
    const text = tab.locator("#policy-text");
    const answer = tab.locator("#policy-answer");
    await text.pressSequentially("// one");
    await answer.filter({ hasText: "Your session has ended" }).waitFor({ timeout: 15_000 });
    check(tab.url() === `${url}/console/policies/edit`, "the page was led away to " + tab.url());
    check(await text.inputValue() === "// one", "what was typed is gone");
    await look(tab, "session-ended-part");
    const again = await own.newPage();
    await signIn(again);
    await text.pressSequentially(" two");
    await answer.filter({ hasText: "You signed in again" }).waitFor({ timeout: 15_000 });
    await text.pressSequentially(" three");
    await answer.filter({ hasNotText: "signed in again" }).locator(".notice").first().waitFor({ timeout: 15_000 });
    await own.clearCookies();
    await tab.getByRole("button", { name: "Check" }).click();
    await tab.getByRole("heading", { name: "Your session has ended" }).waitFor();
    await look(tab, "session-ended");
    await signIn(again);
    await tab.getByRole("button", { name: "Send this again" }).click();
    await tab.getByRole("heading", { name: "Send it again?" }).waitFor();
    await look(tab, "session-again");
    await tab.getByRole("button", { name: "Send this again" }).click();
    await tab.locator("#policy-text").waitFor();
    check(await tab.inputValue("#policy-text") === "// one two three", "what was typed was not sent again");
    await own.close();
});

await story("a person who is invited signs in with a passkey", async () => {
    const own = await context(desk, "light");
    const tab = await own.newPage();
    const device = await own.newCDPSession(tab);
    await device.send("WebAuthn.enable");
    await device.send("WebAuthn.addVirtualAuthenticator", { options: {
        protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true,
        isUserVerified: true, automaticPresenceSimulation: true,
    } });
    const link = palyra("console", "invite", "ben", "--group", "viewer").match(/\/console\/invitation\/[^\s"]+/)[0];
    await tab.goto(url + link);
    await tab.getByRole("button", { name: "Use a passkey" }).click();
    await tab.getByRole("heading", { name: "Overview" }).waitFor();
    check(await tab.locator(".person summary").innerText() === "user:ben", "another person was signed in");
    await tab.locator(".person summary").click();
    await tab.locator(".person").getByRole("button", { name: "Sign out" }).click();
    await tab.getByRole("button", { name: "Sign in with a passkey" }).click();
    await tab.getByRole("heading", { name: "Overview" }).waitFor();
    await device.send("WebAuthn.disable");
    await own.close();
});

await story("a jar of an unknown signer is looked at and not put in", async () => {
    await page.goto(`${url}/console/bundles/upload/palyra.models`);
    await look(page, "upload");
    await page.setInputFiles("#jar", process.env.PALYRA_JAR);
    await page.getByRole("button", { name: "Send and look at it" }).click();
    await page.getByText(/sha-?256/i).first().waitFor();
    await look(page, "upload-looked-at");
    check(await page.getByText(/not signed|unsigned|no signature/i).count() > 0, "the page does not say that the jar is not signed");
    check(await page.getByRole("button", { name: /^swap/i }).count() === 0, "what is not trusted can be swapped in");
});

await story("what is sent while the console is away is kept, and no foreign page is shown", async () => {
    await page.goto(`${url}/console/chat`);
    await page.fill("#message", "sent into the gap");
    palyra("bundle", "stop", "palyra.console");
    try {
        await page.getByRole("button", { name: "Send" }).click();
        await page.locator("#connection", { hasText: "is away" }).waitFor({ timeout: 15_000 });
        check(await page.getByText("HTTP ERROR").count() === 0, "the server's own page is shown");
    } finally {
        palyra("bundle", "start", "palyra.console");
    }
    check(await page.inputValue("#message") === "sent into the gap", "what was sent is lost");
    await page.locator("#connection").waitFor({ state: "hidden", timeout: 60_000 });
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator("article.run").first().waitFor({ timeout: 30_000 });
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
    const plain = await context(phone, "dark", { javaScriptEnabled: false });
    const tab = await plain.newPage();
    await signIn(tab);
    await tab.goto(`${url}/console/chat`);
    await tab.fill("#message", "good morning");
    await tab.getByRole("button", { name: "Send" }).click();
    await tab.getByText("good morning").first().waitFor();
    await tab.screenshot({ path: `${results}/without-script.jpg`, quality: 80 });
    await plain.close();
});

await end();
