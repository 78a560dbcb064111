"use strict";
/* What needs a script: the CSRF header of htmx, times in the reader's zone, the palette. Everything is
   readable and every form works without it. */
(() => {
    let csrf = document.querySelector('meta[name="palyra-csrf"]')?.content ?? "";

    document.addEventListener("htmx:config:request", event => {
        const request = event.detail.ctx?.request;
        if (request && csrf) {
            request.headers["X-Palyra-Csrf"] = csrf;
        }
    });

    /* A person who signed in again in another tab has a session with another token. */
    document.addEventListener("htmx:response:error", event => {
        const fresh = event.detail.ctx?.response?.headers.get("X-Palyra-Csrf");
        if (fresh) {
            csrf = fresh;
            for (const field of document.querySelectorAll('input[name="csrf"]')) {
                field.value = fresh;
            }
        }
    });

    const zoned = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
    function localTimes(root) {
        for (const time of root.querySelectorAll("time[datetime]:not([title])")) {
            const at = new Date(time.getAttribute("datetime"));
            if (!Number.isNaN(at.getTime())) {
                time.title = time.textContent;
                time.textContent = zoned.format(at);
            }
        }
    }
    localTimes(document);
    document.addEventListener("htmx:after:swap", () => localTimes(document));
    new MutationObserver(changes => {
        for (const change of changes) {
            for (const node of change.addedNodes) {
                if (node.nodeType === Node.ELEMENT_NODE) {
                    localTimes(node.parentElement ?? node);
                }
            }
        }
    }).observe(document.body, { childList: true, subtree: true });

    const palette = document.getElementById("palette");
    if (palette) {
        const input = palette.querySelector("input");
        const list = palette.querySelector("ul");
        const links = [...document.querySelectorAll(".side nav a")].map(
            link => ({ text: link.textContent.trim(), path: link.getAttribute("href") }));
        const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/i;
        const fill = () => {
            const typed = input.value.trim();
            const found = links.filter(link => link.text.toLowerCase().includes(typed.toLowerCase()));
            if (ulid.test(typed)) {
                found.unshift({ text: "Go to " + typed, path: "/console/go/" + typed.toUpperCase() });
            } else if (typed) {
                found.push({ text: "Search sessions for “" + typed + "”", path: "/console/sessions?text=" + encodeURIComponent(typed) });
            }
            list.replaceChildren(...found.map(link => {
                const item = document.createElement("li");
                const anchor = document.createElement("a");
                anchor.href = link.path;
                anchor.textContent = link.text;
                item.append(anchor);
                return item;
            }));
        };
        const open = () => { input.value = ""; fill(); palette.showModal(); };
        input.addEventListener("input", fill);
        palette.addEventListener("keydown", event => {
            const items = [...list.querySelectorAll("a")];
            const at = items.indexOf(document.activeElement);
            if (event.key === "ArrowDown") { items[Math.min(at + 1, items.length - 1)]?.focus(); event.preventDefault(); }
            if (event.key === "ArrowUp") { (at <= 0 ? input : items[at - 1]).focus(); event.preventDefault(); }
            if (event.key === "Enter" && document.activeElement === input) { items[0]?.click(); event.preventDefault(); }
        });
        document.addEventListener("keydown", event => {
            if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") { event.preventDefault(); open(); }
        });
        for (const button of document.querySelectorAll("[data-opens=palette]")) {
            button.hidden = false;
            button.addEventListener("click", open);
        }
    }
})();
