"use strict";
/* Live text of the run that the page shows. Text is only ever set as text. Without this script a page
   shows what was recorded when it was loaded. */
(() => {
    const stream = document.getElementById("stream");

    /* Text of the current attempt, by run: fragments that are loaded meanwhile are filled again. */
    const live = new Map();
    const data = event => {
        try {
            return JSON.parse(event.detail?.data ?? "{}");
        } catch {
            return {};
        }
    };

    function show(run) {
        const article = document.getElementById("run-" + run);
        if (!article) {
            return;
        }
        const text = live.get(run);
        const finished = Number(article.dataset.finishedTurn ?? 0);
        const next = article.querySelector("[data-live-next]");
        const own = article.querySelector(".live [data-live-text]");
        if (!text || text.turn <= finished) {
            if (next) { next.hidden = true; }
            return;
        }
        const current = own && Number(own.dataset.turn) === text.turn;
        const target = current ? own : next?.querySelector("[data-live-text]");
        if (next) { next.hidden = Boolean(current) || !text.answer; }
        if (target && target.textContent !== text.answer) {
            const down = window.innerHeight + window.scrollY >= document.body.scrollHeight - 160;
            fill(target, text.answer);
            if (down) { window.scrollTo({ top: document.body.scrollHeight }); }
        }
        const thoughts = current ? own.parentElement.querySelector("[data-live-thoughts]") : null;
        if (thoughts && text.thought) {
            thoughts.hidden = false;
            fill(thoughts.querySelector("[data-live-thought]"), text.thought);
        }
    }

    /* What is there already is not made again: an answer grows by a few letters many times. */
    function fill(target, text) {
        const node = target.childNodes.length === 1 ? target.firstChild : null;
        if (node?.nodeType === Node.TEXT_NODE && text.startsWith(node.data)) {
            node.appendData(text.slice(node.data.length));
        } else {
            target.textContent = text;
        }
    }

    /* Pieces that come together are shown together: looking where the page is scrolled to costs a
       layout, and there is one in each frame anyway. */
    const due = new Set();
    function showSoon(run) {
        if (due.size === 0) {
            requestAnimationFrame(() => {
                const runs = [...due];
                due.clear();
                runs.forEach(show);
            });
        }
        due.add(run);
    }

    if (stream) {
        stream.addEventListener("run-text", event => {
            const piece = data(event);
            let text = live.get(piece.run);
            if (!text || text.turn !== piece.turn || text.attempt !== piece.attempt) {
                text = { turn: piece.turn, attempt: piece.attempt, answer: "", thought: "" };
                live.set(piece.run, text);
            }
            const kind = piece.thought ? "thought" : "answer";
            text[kind] = text[kind].slice(0, piece.offset) + piece.text;
            showSoon(piece.run);
        });
        stream.addEventListener("run-dropped", event => {
            live.delete(data(event).run);
            show(data(event).run);
        });
    }

    function fresh() {
        for (const run of live.keys()) {
            show(run);
        }
        for (const hidden of document.querySelectorAll("[data-script-only]")) {
            hidden.hidden = false;
        }
        const conversation = document.getElementById("conversation");
        if (conversation && waited && !conversation.dataset.pending) {
            waited = false;
            location.reload(); // the run is known now, and the stream follows it
        }
    }
    let waited = Boolean(document.getElementById("conversation")?.dataset.pending);
    document.addEventListener("htmx:after:swap", fresh);

    for (const field of document.querySelectorAll("[data-composer] textarea")) {
        field.addEventListener("keydown", event => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                field.form?.requestSubmit();
            }
        });
    }
    fresh();

    /* A link to a record opens it. */
    const opens = () => {
        const record = location.hash.startsWith("#seq-") ? document.getElementById(location.hash.slice(1)) : null;
        const details = record?.querySelector("details");
        if (details) { details.open = true; }
    };
    window.addEventListener("hashchange", opens);
    window.addEventListener("load", () => setTimeout(opens)); // after htmx, which loads what is opened
})();
