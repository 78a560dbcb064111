package palyra.console.internal.run;

import java.io.IOException;
import java.util.List;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.core.gateway.AgentView;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.api.run.WhileRunning;
import palyra.console.internal.Seams;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;
import palyra.shared.hash.Ulids;

/** The chat that begins a session with its first message. */
public final class ChatPages {
    private static final int LABEL = 60;

    private final Seams seams;
    private final RunReading reading;
    private final Sending sending;
    private final Ulids ids = new Ulids();

    /** Creates the pages. */
    public ChatPages(Seams seams) {
        this.seams = seams;
        this.reading = new RunReading(seams);
        this.sending = new Sending(seams.runs());
    }

    /** Adds the routes. */
    public void routes(Router router) {
        router.get("/console/chat", this::chat);
        router.post("/console/chat", this::begin);
    }

    private void chat(Exchange exchange) throws IOException {
        chat(exchange, ids.next(), "", "", 200);
    }

    private void chat(Exchange exchange, String key, String text, String notice, int status)
            throws IOException {
        Principal reader = exchange.principal();
        Conversation view =
                new Conversation(
                        null,
                        List.of(),
                        "",
                        true,
                        "",
                        "",
                        "",
                        reading.may(reader, "run.start", "", reader.id()),
                        agents(),
                        key,
                        text,
                        notice);
        exchange.page(status, view.title(), "page/chat.jte", view);
    }

    /** The default agent answers while the list of agents is not known. */
    private List<AgentView> agents() {
        try {
            return seams.agents().call(registry -> registry.agents());
        } catch (PalyraException e) {
            return List.of();
        }
    }

    /** The session's name is of the form's key: a form that is sent twice makes one session. */
    private void begin(Exchange exchange) throws IOException {
        String text = SessionPages.text(exchange);
        String key = exchange.parameter("key");
        Principal reader = exchange.principal();
        try {
            RunReading.requireId("form", key);
            Require.that(!text.isEmpty(), "the message is empty; write one");
            SessionQuery query =
                    new SessionQuery("", "console-" + key, "", "", label(text), false, false);
            SessionView session =
                    seams.runs().call(front -> front.resolveSession(reader, query)).session();
            Submission accepted =
                    sending.send(
                            reader,
                            new Sending.Draft(
                                    session.sessionId(),
                                    exchange.parameter("agent"),
                                    text,
                                    key,
                                    WhileRunning.QUEUE));
            exchange.seeOther(SessionPages.sent(session.sessionId(), accepted.messageId(), key));
        } catch (PalyraException | IllegalArgumentException e) {
            if (exchange.partial()) {
                throw e;
            }
            chat(exchange, Sending.key(key, ids), text, Require.orEmpty(e.getMessage()), 422);
        }
    }

    private static String label(String text) {
        String line = text.lines().findFirst().orElse("").strip();
        int end =
                line.offsetByCodePoints(0, Math.min(LABEL, line.codePointCount(0, line.length())));
        return line.length() > end ? line.substring(0, end) + "…" : line;
    }
}
