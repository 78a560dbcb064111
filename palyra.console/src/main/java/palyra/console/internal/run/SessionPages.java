package palyra.console.internal.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.run.RunView;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.api.run.WhileRunning;
import palyra.console.internal.Seams;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;
import palyra.shared.hash.Ulids;

/** Sessions, and the chat in each. {@link ChatPages} begin them. */
public final class SessionPages {
    private static final int PAGE = 50;
    private static final int RUNS = 10;

    /**
     * The list.
     *
     * @param text what was searched for
     * @param newest whether the newest are shown, which hints change
     * @param next address of older ones; empty when there are none
     */
    public record ListView(
            List<SessionView> sessions,
            String text,
            boolean archived,
            boolean newest,
            String next) {}

    /**
     * The form for a message.
     *
     * @param key of a form that was refused the one that it carried, so that it stays one message
     * @param text what was written in it
     * @param notice why it was refused; empty otherwise
     */
    private record Form(String key, String text, String notice) {}

    private final Seams seams;
    private final RunReading reading;
    private final Sending sending;
    private final Ulids ids = new Ulids();

    /** Creates the pages. */
    public SessionPages(Seams seams) {
        this.seams = seams;
        this.reading = new RunReading(seams);
        this.sending = new Sending(seams.runs());
    }

    /** Adds the routes. */
    public void routes(Router router) {
        router.get("/console/sessions", this::list);
        router.get("/console/sessions/{id}", this::show);
        router.post("/console/sessions/{id}/messages", this::send);
    }

    private void list(Exchange exchange) throws IOException {
        String text = exchange.parameter("text").strip();
        boolean archived = !exchange.parameter("archived").isEmpty();
        String before = exchange.parameter("before");
        if (!before.isEmpty()) {
            RunReading.requireId("session", before);
        }
        List<SessionView> page =
                seams.runs()
                        .call(
                                front ->
                                        front.sessions(
                                                exchange.principal(),
                                                text,
                                                before,
                                                PAGE,
                                                archived));
        String next =
                page.size() == PAGE
                        ? "/console/sessions?before="
                                + page.getLast().sessionId()
                                + "&text="
                                + Exchange.encode(text)
                                + (archived ? "&archived=yes" : "")
                        : "";
        exchange.page(
                "Sessions",
                exchange.partial() ? "run/session-list.jte" : "page/sessions.jte",
                new ListView(page, text, archived, before.isEmpty(), next));
    }

    private SessionView session(Exchange exchange) {
        String id = exchange.segment("id");
        RunReading.requireId("session", id);
        return seams.runs()
                .call(front -> front.session(exchange.principal(), id))
                .orElseThrow(() -> RunReading.notFound("session", id));
    }

    private void show(Exchange exchange) throws IOException {
        render(exchange, session(exchange), new Form(ids.next(), "", ""), 200);
    }

    private void render(Exchange exchange, SessionView session, Form form, int status)
            throws IOException {
        Principal reader = exchange.principal();
        String before = exchange.parameter("before");
        if (!before.isEmpty()) {
            RunReading.requireId("run", before);
        }
        List<RunView> page =
                seams.runs().call(front -> front.runs(reader, session.sessionId(), before, RUNS));
        List<RunPart> parts = new ArrayList<>();
        for (RunView run : page) {
            parts.add(reading.part(reader, run, "session"));
        }
        Collections.reverse(parts);
        String sent = exchange.parameter("sent");
        Conversation view =
                new Conversation(
                        session,
                        parts,
                        page.size() == RUNS
                                ? "/console/sessions/"
                                        + session.sessionId()
                                        + "?before="
                                        + page.getLast().runId()
                                : "",
                        before.isEmpty(),
                        pending(reader, sent),
                        sent,
                        sentKey(exchange, sent),
                        session.archivedAtMillis() == 0 && mayWrite(reader, session),
                        List.of(),
                        form.key(),
                        form.text(),
                        form.notice());
        follow(exchange, view);
        exchange.page(
                status,
                view.title(),
                exchange.partial() ? "run/conversation.jte" : "page/session.jte",
                view);
    }

    /** The stream follows the first run that goes on, and those after it. */
    private static void follow(Exchange exchange, Conversation view) {
        if (!view.newest() || view.runs().isEmpty()) {
            return;
        }
        RunPart first =
                view.runs().stream()
                        .filter(RunPart::live)
                        .findFirst()
                        .orElse(view.runs().getLast());
        exchange.follow(first.run().runId(), first.lastSeq(), view.session().sessionId());
    }

    private boolean mayWrite(Principal reader, SessionView session) {
        return reading.may(
                reader, "run.start", "session:" + session.sessionId(), session.principal());
    }

    /** Returns a message that the gateway has not taken up yet. */
    private String pending(Principal reader, String messageId) {
        if (messageId.isEmpty()) {
            return "";
        }
        RunReading.requireId("message", messageId);
        Submission now = seams.runs().call(front -> front.submission(reader, messageId));
        return now.runId().isEmpty() ? messageId : "";
    }

    private void send(Exchange exchange) throws IOException {
        SessionView session = session(exchange);
        String text = text(exchange);
        String key = exchange.parameter("key");
        try {
            Submission accepted =
                    sending.send(
                            exchange.principal(),
                            new Sending.Draft(
                                    session.sessionId(),
                                    "",
                                    text,
                                    key,
                                    whileRunning(exchange.parameter("while"))));
            exchange.seeOther(sent(session.sessionId(), accepted.messageId(), key));
        } catch (PalyraException | IllegalArgumentException e) {
            if (exchange.partial()) {
                throw e;
            }
            Form form = new Form(Sending.key(key, ids), text, Require.orEmpty(e.getMessage()));
            render(exchange, session, form, 422);
        }
    }

    /** Returns the page after a message, which says what was sent, so that its draft ends. */
    static String sent(String sessionId, String messageId, String key) {
        return "/console/sessions/" + sessionId + "?sent=" + messageId + "&key=" + key;
    }

    private static String sentKey(Exchange exchange, String sent) {
        String key = exchange.parameter("key");
        return !sent.isEmpty() && Ulids.isUlid(key) ? key : "";
    }

    /** Returns the message that a form carries. */
    static String text(Exchange exchange) {
        return exchange.parameter("text").replace("\r\n", "\n").strip();
    }

    private static WhileRunning whileRunning(String word) {
        return switch (word) {
            case "steer" -> WhileRunning.STEER;
            case "cancel" -> WhileRunning.CANCEL;
            case "", "queue" -> WhileRunning.QUEUE;
            default ->
                    throw new PalyraException(
                            ErrorCode.INVALID_ARGUMENT,
                            "Choose what becomes of the message while a run goes: queue, steer or"
                                    + " cancel.");
        };
    }
}
