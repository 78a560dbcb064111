package palyra.console.internal.run.stream;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.run.RunPosition;
import palyra.api.run.RunView;
import palyra.console.internal.Seams;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.session.Viewer;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;
import palyra.shared.hash.Ulids;

/** The event stream of a tab: hints without content, and the events of the run that it shows. */
public final class EventsPage implements AutoCloseable {
    private static final int MOST_EACH = 20; // pages need connections of the session too
    private static final int MOST_ALL = 400;
    private static final int QUEUE_BYTES = 256 * 1024;
    private static final long NO_TIMEOUT = 0;

    /** What a tab wants to follow, and whether its page shows what the run does not have. */
    private record Wanted(FollowedRun.Target target, boolean outdated) {}

    private final Seams seams;
    private final Sessions sessions;
    private final Hints hints;
    private final OpenTabs tabs = new OpenTabs(MOST_EACH, MOST_ALL);
    private final Tab.Pace pace;

    /** Creates the page. */
    public EventsPage(Seams seams, Sessions sessions) {
        this(seams, sessions, Tab.Pace.USUAL);
    }

    EventsPage(Seams seams, Sessions sessions, Tab.Pace pace) {
        this.seams = seams;
        this.sessions = sessions;
        this.pace = pace;
        this.hints = new Hints(seams.feed());
    }

    /** Adds the route. */
    public void routes(Router router) {
        router.get("/console/events", this::open);
    }

    private void open(Exchange exchange) throws IOException {
        Principal viewer = exchange.principal();
        Optional<Wanted> target = target(exchange);
        String secret =
                Sessions.secret(exchange.request())
                        .orElseThrow(() -> new IllegalStateException("a viewer has a session"));
        tabs.enter(viewer.id());
        boolean started = false;
        try {
            start(exchange, viewer, session(secret, viewer), target);
            started = true;
        } finally {
            if (!started) {
                tabs.leave(viewer.id());
            }
        }
    }

    /** The session of a stream is the one that it was opened with, as long as that one counts. */
    private Supplier<Principal> session(String secret, Principal opener) {
        return () ->
                sessions.viewer(secret)
                        .map(Viewer::principal)
                        .filter(now -> now.id().equals(opener.id()))
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.UNAUTHENTICATED,
                                                "The session of this tab is over."));
    }

    private void start(
            Exchange exchange,
            Principal viewer,
            Supplier<Principal> session,
            Optional<Wanted> wanted)
            throws IOException {
        TabQueue queue = new TabQueue(QUEUE_BYTES);
        FollowedRun run =
                wanted.map(w -> new FollowedRun(seams.runs(), viewer, queue, w.target()))
                        .orElse(null);
        if (wanted.map(Wanted::outdated).orElse(false)) {
            queue.everythingChanged();
        }
        Tab tab = new Tab(queue, new Visibility(seams.runs()), viewer, session, run, pace);
        HttpServletResponse response = exchange.response();
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType("text/event-stream; charset=utf-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no");
        AsyncContext async = exchange.request().startAsync();
        async.setTimeout(NO_TIMEOUT);
        if (!tabs.add(tab)) {
            tab.close();
        }
        hints.add(queue);
        tab.start(
                response.getOutputStream(),
                () -> {
                    hints.remove(queue);
                    tabs.remove(tab);
                    tabs.leave(viewer.id());
                    complete(async);
                });
    }

    private static void complete(AsyncContext async) {
        try {
            async.complete();
        } catch (IllegalStateException e) {
            // the container was faster: the connection is gone
        }
    }

    /**
     * What the browser had before it lost the stream counts more than what the page was made of.
     */
    private Optional<Wanted> target(Exchange exchange) {
        String run = exchange.parameter("run");
        if (run.isEmpty()) {
            return Optional.empty();
        }
        Require.that(Ulids.isUlid(run), "run '" + brief(run) + "' is not the id of a run");
        String session = exchange.parameter("session");
        Require.that(
                session.isEmpty() || Ulids.isUlid(session),
                "session '" + brief(session) + "' is not the id of a session");
        String last = Require.orEmpty(exchange.request().getHeader("Last-Event-ID"));
        EventId from =
                EventId.of(last)
                        .filter(id -> id.runId().equals(run) || !session.isEmpty())
                        .orElseGet(() -> new EventId(run, RunPosition.after(seq(exchange))));
        Optional<RunView> found =
                seams.runs()
                        .call(front -> front.run(exchange.principal(), from.runId()))
                        .filter(view -> session.isEmpty() || view.sessionId().equals(session));
        if (found.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND, "There is no run " + from.runId() + " of yours.");
        }
        return Optional.of(target(from, found.get(), session));
    }

    /** A position that the run does not have is of another journal: what the page shows is old. */
    private static Wanted target(EventId from, RunView run, String session) {
        boolean beyond = from.position().seq() > run.headSeq();
        EventId begin = beyond ? new EventId(run.runId(), RunPosition.after(run.headSeq())) : from;
        return new Wanted(new FollowedRun.Target(begin, session), beyond);
    }

    private static long seq(Exchange exchange) {
        String seq = exchange.parameter("seq");
        Require.that(
                seq.isEmpty() || seq.matches("[0-9]{1,15}"),
                "seq '" + brief(seq) + "' is not a number of a record");
        return seq.isEmpty() ? 0 : Long.parseLong(seq);
    }

    private static String brief(String text) {
        return text.length() > 40 ? text.substring(0, 40) + "…" : text;
    }

    /** Returns how many streams are open. */
    int count() {
        return tabs.count();
    }

    /** Ends the streams; browsers connect again. */
    @Override
    public void close() {
        hints.close();
        tabs.close();
    }
}
