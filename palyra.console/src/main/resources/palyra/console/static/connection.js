"use strict";
/* What keeps the page up to date: the tab's event stream, the parts that are loaded again by its hints,
   and the one notice that says when that does not work. */
(() => {
    const stream = document.getElementById("stream");
    const note = document.getElementById("connection");
    if (!stream || !note) {
        return;
    }
    const HINTS = ["run", "approval", "session", "journal", "channel"];
    const EVERY = 15_000;
    const SOON = 300;
    const FIRST_PAUSE = 1_000;
    const LONGEST_PAUSE = 60_000;
    const PATIENCE = 1_500;
    const AWAY = "The gateway is being replaced or is away; trying again. Nothing typed is lost.";
    const TOO_MANY = "As many tabs of the console are open as are kept up to date; close some."
        + " This page shows what it was when loaded.";

    /* The notice says the last reason that still holds, by the element that it is about. */
    const reasons = new Map();
    const due = new Map();
    function show() {
        for (const about of [...reasons.keys()].filter(each => !each.isConnected)) {
            reasons.delete(about);
        }
        const last = [...reasons.values()].at(-1);
        note.hidden = !last;
        if (last) {
            note.replaceChildren(...last);
        }
    }
    function settle(about) {
        clearTimeout(due.get(about));
        due.delete(about);
    }
    function say(about, ...parts) {
        settle(about);
        reasons.delete(about);
        reasons.set(about, parts);
        show();
    }
    function unsay(about) {
        settle(about);
        reasons.delete(about);
        show();
    }
    /* What is over in a moment is not worth a sentence. */
    function sayAway(about) {
        if (!due.has(about)) {
            due.set(about, setTimeout(() => say(about, AWAY), PATIENCE));
        }
    }

    function sentence(ctx) {
        try {
            return decodeURIComponent(ctx?.response?.headers.get("X-Palyra-Problem") ?? "");
        } catch {
            return "";
        }
    }
    function explain(about, status, said) {
        if (status === 401 || (status === 403 && !said)) {
            const link = document.createElement("a");
            link.href = "/console/sign-in?to=" + encodeURIComponent(location.pathname + location.search);
            link.target = "_blank";
            link.textContent = "Sign in again";
            say(about, "Your session has ended. What you typed is kept here. ", link, " in another tab, then go on.");
        } else if (status === 429) {
            say(about, said || TOO_MANY);
        } else if (said && (status < 500 || about === document.body)) {
            say(about, said);
        } else {
            sayAway(about);
        }
    }

    const pauses = new WeakMap();
    function pause(what) {
        const next = Math.min(LONGEST_PAUSE, pauses.has(what) ? pauses.get(what) * 2 : FIRST_PAUSE);
        pauses.set(what, next);
        return next * (0.85 + Math.random() * 0.3); // many tabs do not come at once
    }

    /* A browser gives all tabs of a server six connections without TLS. The stream of a tab ends while
       another one covers it, and of one that was opened behind others it begins when it is shown. A
       connection that was made is made again by hx-sse; one that never was, here. */
    let waiting = 0;
    let idle = true;
    function connect() {
        clearTimeout(waiting);
        waiting = 0;
        idle = document.hidden;
        if (!idle) {
            htmx.trigger(stream, "palyra-shown");
        }
    }
    function connectLater() {
        if (!waiting && stream.isConnected) {
            waiting = setTimeout(connect, pause(stream));
        }
    }
    document.addEventListener("visibilitychange", () => {
        if (!document.hidden && (idle || waiting)) {
            connect();
        }
    });
    document.addEventListener("htmx:sse:after:connection", () => {
        pauses.delete(stream);
        unsay(stream);
        unsay(document.body); // the session and the gateway are there
    });
    document.addEventListener("htmx:sse:error", event => explain(stream, event.detail?.status, ""));
    document.addEventListener("htmx:sse:close", connectLater);
    stream.addEventListener("run-gone", event => {
        try {
            say(document.getElementById("content"), JSON.parse(event.detail.data).reason);
        } catch {
            // a sentence that cannot be read is not shown
        }
    });
    setTimeout(connect); // after htmx's own, which finds the stream

    /* A part that shows what changed is loaded again, but never under what a person is typing. */
    const typed = part => [...part.querySelectorAll("input, textarea, select")].some(field =>
        field === document.activeElement
        || (field.type === "checkbox" ? field.checked !== field.defaultChecked
            : field.tagName === "SELECT" ? [...field.options].some(o => o.selected !== o.defaultSelected)
                : field.type !== "hidden" && field.value !== field.defaultValue));
    const reload = part => typed(part) || htmx.trigger(part, "palyra-reload");
    function changed(topic) {
        for (const part of document.querySelectorAll(`[data-reload-on~="${topic}"]`)) {
            part.reloads ??= setTimeout(() => {
                part.reloads = null;
                reload(part);
            }, SOON);
        }
    }
    for (const topic of HINTS) {
        stream.addEventListener(topic, () => changed(topic));
    }
    setInterval(() => document.hidden || changed("time"), EVERY);

    /* Hints between the making of the page, or the end of the stream before, and this stream were kept
       by none. */
    stream.addEventListener("stream-open", () => HINTS.forEach(topic => htmx.trigger(stream, topic)));

    /* A part that cannot be loaded stays as it is, and is asked for again. */
    const updates = element => (element.getAttribute?.("hx-trigger") ?? "").includes("palyra-reload");
    function retry(part) {
        clearTimeout(part.retry);
        part.retry = setTimeout(() => {
            if (document.hidden || typed(part)) {
                retry(part);
            } else {
                htmx.trigger(part, "palyra-reload");
            }
        }, pause(part));
    }
    function failed(source, status, said) {
        if (source === stream) {
            explain(stream, status, said);
            connectLater();
        } else if (updates(source)) {
            explain(source, status, said);
            retry(source);
        } else if (!status || !source.closest?.("[data-shows-refusals]")) {
            explain(document.body, status, said); // what a person did, and its own place does not say
        }
    }
    /* While the console is replaced, the HTTP server answers with an error page of its own. */
    document.addEventListener("htmx:before:response", event => {
        const answer = event.detail.ctx?.response;
        if (answer?.status >= 400 && !answer.headers.get("Content-Security-Policy")) {
            event.preventDefault();
            failed(event.target, 0, "");
        }
    });
    document.addEventListener("htmx:response:error", event =>
        failed(event.target, event.detail.ctx?.response?.status, sentence(event.detail.ctx)));
    document.addEventListener("htmx:error", event => {
        if (!event.detail?.ctx?.response) {
            failed(event.target, 0, "");
        }
    });
    document.addEventListener("htmx:after:request", event => {
        if (event.detail.ctx?.response?.status < 400) {
            const source = event.target;
            clearTimeout(source.retry);
            pauses.delete(source);
            unsay(updates(source) ? source : document.body);
        }
    });
})();
