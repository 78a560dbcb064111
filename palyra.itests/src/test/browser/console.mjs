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
