// The tape viewer after a byte was changed behind the gateway's back. ConsoleBrowserIT changes it and
// starts the product again; console.mjs made the account. What this needs besides browser.mjs:
//   PALYRA_WHOLE   a run of which nothing was changed
//   PALYRA_BROKEN  a run of which one byte of one record's content was flipped
//   PALYRA_RECORD  the number of that record
import { check, context, desk, end, look, phone, signIn, story, url } from "./browser.mjs";

const { PALYRA_WHOLE: whole, PALYRA_BROKEN: broken, PALYRA_RECORD: record } = process.env;
const main = await context(desk, "light");
const page = await main.newPage();
await signIn(page);

const ofTape = page.locator("#verification dl > div", { hasText: /^\s*Tape/ });

/* Returns what the page says of a run's tape, and how that is shown. */
async function verdict(run) {
    await page.goto(`${url}/console/runs/${run}/tape`);
    const state = ofTape.locator(".state");
    await state.waitFor({ timeout: 30_000 });
    return { word: await state.innerText(), level: await state.getAttribute("class") };
}

await story("one flipped byte is shown where it is", async () => {
    const said = await verdict(broken);
    check(said.word === `broken at record ${record}`, `the changed tape is called ${said.word}`);
    check(said.level.includes("bad"), `a changed tape is shown as ${said.level}`);
    const fault = ofTape.locator(".faults a", { hasText: `record ${record}` });
    check(await fault.count() === 1, "the fault does not lead to the record that was changed");
    console.log("changed tape: " + (await ofTape.innerText()).replace(/\s+/g, " "));
    await look(page, "tape-broken");
    await fault.click();
    await page.locator(`#seq-${record} details[open]`).waitFor();
    await page.setViewportSize(phone);
    await page.emulateMedia({ colorScheme: "dark" });
    await look(page, "tape-broken-360");
    await page.setViewportSize(desk);
    await page.emulateMedia({ colorScheme: "light" });
});

await story("a tape beside it is whole as before", async () => {
    const said = await verdict(whole);
    check(said.word === "whole" && said.level.includes("good"), `an untouched tape is called ${said.word}`);
    check(await page.locator("#verification .faults").count() === 0, "an untouched tape has faults");
});

await end();
