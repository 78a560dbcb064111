"use strict";
/* Drafts: what is typed is kept in this tab, for the account that typed it, until the page says that it
   was sent. Text is only ever set as text. */
(() => {
    const PREFIX = "palyra-draft:";
    const SENDING = PREFIX + "sending";
    const account = document.body.dataset.account;

    for (const form of document.querySelectorAll('form[action="/console/sign-out"]')) {
        form.addEventListener("submit", () => {
            for (const name of Object.keys(sessionStorage).filter(each => each.startsWith(PREFIX))) {
                sessionStorage.removeItem(name);
            }
        });
    }
    if (!account) {
        return;
    }

    const read = name => {
        try {
            return JSON.parse(sessionStorage.getItem(name) ?? "null");
        } catch {
            return null;
        }
    };
    const write = (name, value) => {
        try {
            sessionStorage.setItem(name, JSON.stringify(value));
        } catch {
            // the browser's bound is reached: what is typed stays in the page alone
        }
    };

    /* Only what was sent with the key that the page names is done with, and only as it was sent. */
    const sent = document.querySelector("[data-sent-key]")?.dataset.sentKey;
    const sending = read(SENDING);
    if (sent && sending?.key === sent) {
        sessionStorage.removeItem(SENDING);
        if (read(sending.name)?.text === sending.text) {
            sessionStorage.removeItem(sending.name);
        }
    }

    for (const field of document.querySelectorAll("form [data-draft]")) {
        const form = field.form;
        const name = PREFIX + account + ":" + field.dataset.draft;
        const key = form.querySelector("[data-draft-key]");
        const others = [...form.querySelectorAll("[data-draft-with]")];
        const restores = field.dataset.draftRestores === "yes"; // else the page has what was sent
        const original = restores ? field.value : "";
        const keep = () => {
            if (field.value && field.value !== original) {
                write(name, { text: field.value, key: key.value, with: others.map(other => other.value) });
            } else {
                sessionStorage.removeItem(name);
            }
        };
        const kept = read(name);
        if (kept && restores && kept.text !== original) {
            field.value = kept.text;
            key.value = kept.key || key.value;
            others.forEach((other, at) => { other.value = kept.with?.[at] ?? other.value; });
            const note = form.querySelector("[data-draft-note]");
            if (note) {
                note.hidden = false;
                note.querySelector("button").addEventListener("click", () => {
                    sessionStorage.removeItem(name);
                    location.reload();
                });
            }
        }
        field.addEventListener("input", keep);
        form.addEventListener("submit", () => {
            keep();
            write(SENDING, { name, key: key.value, text: field.value });
        });
    }
})();
