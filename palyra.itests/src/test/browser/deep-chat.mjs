// deep-chat, a chat component that this project did not write, in Chromium against the OpenAI-compatible
// server. The server sends no header for other origins (docs/openai.md), so the page comes from the
// same origin as the interface: a server of this script, which passes /v1 on as a reverse proxy does.
// What this needs besides browser.mjs:
//   PALYRA_TOKEN  an API token with the group integrator
import { readFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { createRequire } from "node:module";
import { check, context, desk, end, results, story, url } from "./browser.mjs";

const gateway = new URL(url);
const component = readFileSync(createRequire(import.meta.url).resolve("deep-chat/dist/deepChat.bundle.js"));
const asked = [];
const agent = new Agent({ keepAlive: true });

function pass(from, to) {
    const headers = { ...from.headers, host: gateway.host };
    const options = { agent, host: "127.0.0.1", port: gateway.port, method: from.method, path: from.url, headers };
    const upstream = request(options, answer => {
        asked.push({ status: answer.statusCode, type: answer.headers["content-type"], run: answer.headers["x-palyra-run"] });
        to.writeHead(answer.statusCode, answer.headers);
        answer.pipe(to);
    });
    upstream.on("error", () => to.destroy());
    to.on("close", () => upstream.destroy());
    from.pipe(upstream);
}

const server = createServer((from, to) => {
    if (from.url.startsWith("/v1/")) {
        pass(from, to);
    } else if (from.url === "/deep-chat.js") {
        to.writeHead(200, { "Content-Type": "text/javascript" }).end(component);
    } else {
        to.writeHead(200, { "Content-Type": "text/html" })
            .end('<!doctype html><title>deep-chat</title><script type="module" src="/deep-chat.js"></script>');
    }
});
await new Promise(listening => server.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${server.address().port}`;

const main = await context(desk, "light");
await main.route(address => address.origin !== origin, route => route.abort()); // it asks for a font elsewhere
const page = await main.newPage();

/* A page with a fresh chat. */
async function chat(model, stream) {
    await page.goto(origin);
    await page.evaluate(async ({ key, model, stream }) => {
        await customElements.whenDefined("deep-chat");
        const made = document.createElement("deep-chat");
        made.directConnection = { openAI: { key, completions: true } };
        made.connect = { url: `${location.origin}/v1/chat/completions`, stream, additionalBodyProps: { model } };
        document.body.append(made);
    }, { key: process.env.PALYRA_TOKEN, model, stream });
    await page.locator("#text-input").waitFor();
}

async function say(text) {
    await page.locator("#text-input").fill(text);
    await page.keyboard.press("Enter");
}

const answers = page.locator(".ai-message-text");
const answer = text => answers.filter({ hasText: text }).first().waitFor({ timeout: 60_000 });
const slowly = text => "#!palyra-script\n" + JSON.stringify({ turns: [[{ say: text, chunkMillis: 300 }]] });

await story("an answer as a whole, and a chat that goes on by its transcript", async () => {
    await chat("writer", false);
    await say("good morning");
    await answer("You said: good morning");
    await say("and again");
    await answer("You said: and again");
    check(asked.length === 2 && asked.every(one => one.status === 200), "answers: " + JSON.stringify(asked));
    check(await page.locator(".error-message-text").count() === 0, "deep-chat shows an error");
    await page.screenshot({ path: `${results}/deep-chat.jpg`, quality: 80 });
});

await story("an answer that is seen while it is written", async () => {
    await chat("writer", true);
    await say(slowly("one two three four five six seven eight"));
    await answer("two");
    check(!(await answers.last().innerText()).includes("eight"), "the answer came as a whole");
    await answer("one two three four five six seven eight");
    check(/event-stream/.test(asked.at(-1).type), `a stream was asked for and ${asked.at(-1).type} answered`);
    await page.screenshot({ path: `${results}/deep-chat-stream.jpg`, quality: 80 });
});

await story("a refusal is shown as one", async () => {
    await chat("no-such-agent", false);
    await say("hello");
    await page.locator(".error-message-text").first().waitFor({ timeout: 60_000 });
    check(asked.at(-1).status === 404, `an unknown model answers ${asked.at(-1).status}`);
});

server.close();
server.closeAllConnections();
agent.destroy();
await end();
