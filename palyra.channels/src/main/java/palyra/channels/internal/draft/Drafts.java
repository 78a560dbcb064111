package palyra.channels.internal.draft;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Delivery;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.LoopView;
import palyra.api.run.RunState;
import palyra.api.run.Runs;
import palyra.channels.internal.dispatch.Dispatcher;
import palyra.channels.internal.inbound.Speakers;
import palyra.channels.internal.route.RouteRules;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedTimer;
import palyra.shared.outcome.Commits;
import palyra.shared.run.SubmissionCodec;

/**
 * Shows answers while they are made, where a rule says so and the platform can change messages. One
 * row of the outbox, the draft, becomes a message; then the message is changed, without a row, as
 * the text grows; at last the answer takes its place, which the dispatcher sees to. Of a run that
 * was cancelled the draft says so. Text goes by the run's followers, so it has no secrets. While
 * nothing is shown, {@link Typing} shows that the run works. Thread-safe.
 */
public final class Drafts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Drafts.class);
    private static final String COLLECTION = "channel_draft";
    private static final int MOST_AT_A_TIME = 64;
    private static final int MOST_REMEMBERED = 10_000;
    private static final int PAGE = 100;
    private static final int TICKS = 6; // in a pause
    private static final long CLOSE_MILLIS = 2_000;
    private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final Set<RunState> GOING =
            EnumSet.of(RunState.RUNNING, RunState.AWAITING_APPROVAL);

    /** A connector at work. */
    public record Outlet(Connector connector, Dispatcher dispatcher) {}

    private final Gate<Journal> journal;
    private final Gate<Runs> runs;
    private final Speakers speakers;
    private final RouteRules rules;
    private final Function<String, Optional<Outlet>> outlets;
    private final long pauseNanos;
    private final long tickMillis;
    private final Ulids ids = new Ulids();
    private final Map<String, Draft> open = new ConcurrentHashMap<>();
    private final Typing typing;
    private final AtomicBoolean ticking = new AtomicBoolean();
    private final Set<String> seen =
            Collections.synchronizedSet(
                    Collections.newSetFromMap(
                            new LinkedHashMap<>() {
                                private static final long serialVersionUID = 1L;

                                @Override
                                protected boolean removeEldestEntry(Map.Entry<String, Boolean> e) {
                                    return size() > MOST_REMEMBERED;
                                }
                            }));
    private final SupervisedTimer timer =
            new SupervisedTimer(LoopSpec.of("palyra-channel-drafts", "palyra.channels"));

    /**
     * Creates it.
     *
     * @param outlets finds the connector of a surface
     * @param pauseMillis least time between two changes of a message, and before a short text is
     *     shown
     * @param typingMillis how long a conversation shows at most that one run works for it
     */
    public Drafts(
            Gate<Journal> journal,
            Gate<Runs> runs,
            Speakers speakers,
            RouteRules rules,
            Function<String, Optional<Outlet>> outlets,
            long pauseMillis,
            long typingMillis) {
        this.journal = journal;
        this.runs = runs;
        this.speakers = speakers;
        this.rules = rules;
        this.outlets = outlets;
        this.pauseNanos = TimeUnit.MILLISECONDS.toNanos(pauseMillis);
        this.tickMillis = Math.max(1, pauseMillis / TICKS);
        this.typing = new Typing(journal, outlets, pauseNanos, typingMillis);
    }

    /** Something was recorded of a run. Never blocks. */
    public void advanced(String runId) {
        typing.advanced(runId);
        if (rules.router().showsRuns() && seen.add(runId)) {
            timer.soon(() -> guarded(() -> look(runId)));
        }
    }

    /** Rules changed: runs that were not shown may be now. */
    public void rulesChanged() {
        seen.clear();
    }

    private static void guarded(Runnable step) {
        try {
            step.run();
        } catch (PalyraException e) {
            LOG.debug("A draft is not shown now.", e);
        }
    }

    private void look(String runId) {
        Optional<RunRow> found = journal.call(store -> store.run(runId));
        if (found.isEmpty() || found.get().messageId().isEmpty()) {
            return;
        }
        RunRow run = found.get();
        if (run.state() != RunState.RUNNING && !run.state().terminal()) {
            seen.remove(runId); // it is looked at again when it works
        }
        Optional<Outlet> outlet = outlets.apply(run.surface());
        if (!GOING.contains(run.state()) || outlet.isEmpty()) {
            return;
        }
        Optional<InboxRow> message = journal.call(store -> store.inbox(run.messageId()));
        message.map(row -> SubmissionCodec.message(row.payload()).origin())
                .ifPresent(origin -> begin(run, origin, outlet.get()));
    }

    private void begin(RunRow run, MessageOrigin origin, Outlet outlet) {
        ConnectorId connector = outlet.connector().id();
        if (run.state() == RunState.RUNNING
                && has(outlet, Feature.TYPING)
                && rules.router().types(connector, origin.conversation())) {
            typing.begin(run, origin.conversation());
            tickLater();
        }
        if (has(outlet, Feature.EDITS)
                && open.size() < MOST_AT_A_TIME
                && !open.containsKey(run.runId())
                && rules.router().streams(connector, origin.conversation())) {
            follow(run, connector, origin, outlet);
        }
    }

    private static boolean has(Outlet outlet, Feature feature) {
        return outlet.connector().capabilities().has(feature);
    }

    private Optional<Outlet> outlet(String surface) {
        return outlets.apply(surface).filter(one -> has(one, Feature.EDITS));
    }

    private void follow(RunRow run, ConnectorId connector, MessageOrigin origin, Outlet outlet) {
        int most = 4 * outlet.connector().capabilities().maxCharacters();
        Draft draft = new Draft(run, connector, origin, most, pauseNanos);
        journal.call(store -> store.document(COLLECTION, run.runId()))
                .ifPresent(document -> draft.outboxId = outboxId(document));
        Principal principal = speakers.speakFor(connector, run.principal());
        draft.following = runs.call(front -> front.follow(principal, run.runId(), 0, draft));
        open.put(run.runId(), draft);
        tickLater();
    }

    private void tickLater() {
        if (!ticking.getAndSet(true)) {
            timer.after(tickMillis, TimeUnit.MILLISECONDS, this::tick);
        }
    }

    private void tick() {
        try {
            open.values().forEach(draft -> guarded(() -> step(draft)));
            typing.tick(this::isShown).forEach(runId -> guarded(() -> look(runId)));
        } finally {
            ticking.set(false); // begun by this thread alone
            if (!open.isEmpty() || !typing.isEmpty()) {
                tickLater();
            }
        }
    }

    /** Returns whether there is nothing to be shown of any run. */
    boolean isIdle() {
        return !ticking.get();
    }

    private boolean isShown(String runId) {
        Draft draft = open.get(runId);
        return draft != null && !draft.outboxId.isEmpty();
    }

    private void step(Draft draft) {
        if (draft.isOver() || draft.given || draft.refused) {
            open.remove(draft.run.runId());
            draft.following.close();
            if (draft.isOver()) {
                seen.remove(draft.run.runId()); // it may have been the follower that ended
                sweep();
            }
            return;
        }
        String text = draft.due();
        Optional<Outlet> outlet = outlet(draft.run.surface());
        if (text.isBlank() || outlet.isEmpty()) {
            return;
        }
        if (draft.outboxId.isEmpty()) {
            write(draft, text);
        } else if (draft.messageId.isEmpty()) {
            draft.messageId = sentId(draft);
        } else if (draft.nextNanos - System.nanoTime() <= 0) {
            change(draft, outlet.get(), text);
        }
    }

    /** The one row of it, unless the run ended meanwhile. */
    private void write(Draft draft, String text) {
        String id = ids.next();
        String runId = draft.run.runId();
        Unit unit =
                Unit.builder()
                        .require(new Precondition.RunIn(runId, GOING))
                        .require(new Precondition.DocumentAt(COLLECTION, runId, 0))
                        .add(
                                new Operation.PutDocument(
                                        COLLECTION,
                                        runId,
                                        Jcs.bytes(
                                                JsonNodeFactory.instance
                                                        .objectNode()
                                                        .put("outboxId", id))))
                        .add(
                                new Operation.PutOutbox(
                                        row(
                                                id,
                                                runId,
                                                draft.run.surface(),
                                                Outbound.of(
                                                        Outbound.DRAFT,
                                                        text,
                                                        draft.origin.conversation(),
                                                        draft.origin.messageId()))))
                        .build();
        try {
            Commits.commit(journal, unit);
            draft.outboxId = id;
            draft.shown = text;
            draft.nextNanos = System.nanoTime() + pauseNanos;
            outlets.apply(draft.run.surface()).ifPresent(outlet -> outlet.dispatcher().wake());
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
            draft.given = true;
        }
    }

    private static OutboxRow row(String id, String runId, String surface, Outbound message) {
        return new OutboxRow(
                id,
                runId,
                surface,
                MessageOrigin.orderKey(message.conversation()),
                message.bytes(),
                OutboxRow.State.PENDING,
                OutboxProgress.NONE,
                0,
                0);
    }

    /** Returns the platform's id of the message; empty while it is not sent. */
    private String sentId(Draft draft) {
        Optional<OutboxRow> row = journal.call(store -> store.outbox(draft.outboxId));
        OutboxRow.State state = row.map(OutboxRow::state).orElse(OutboxRow.State.WITHDRAWN);
        draft.given = !OPEN.contains(state) && Dispatcher.sentId(row).isEmpty();
        return Dispatcher.sentId(row);
    }

    private static final Set<OutboxRow.State> OPEN =
            EnumSet.of(OutboxRow.State.PENDING, OutboxRow.State.SENDING);

    private void change(Draft draft, Outlet outlet, String text) {
        if (text.equals(draft.shown)) {
            return;
        }
        List<String> parts;
        try {
            parts = outlet.connector().render(text);
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            LOG.warn("The draft of run {} met a defect", draft.run.runId(), e);
            draft.refused = true; // the answer itself says what is wrong
            return;
        }
        OutboundMessage message =
                new OutboundMessage(
                        Outbound.key(ids.next(), 0),
                        draft.origin.conversation(),
                        "",
                        draft.messageId,
                        parts.getFirst(),
                        List.of());
        draft.nextNanos = System.nanoTime() + LONGEST_NANOS; // until the sender is told
        boolean begun =
                outlet.dispatcher()
                        .change(message, () -> isGoing(draft), told -> changed(draft, told));
        if (!begun) {
            draft.nextNanos = System.nanoTime();
            return;
        }
        draft.shown = text;
        if (parts.size() > 1) {
            draft.fill();
        }
    }

    private boolean isGoing(Draft draft) {
        return journal.call(store -> store.run(draft.run.runId()))
                .filter(run -> !run.state().terminal())
                .isPresent();
    }

    /** On the thread that sent it. */
    private void changed(Draft draft, Delivery told) {
        long wait =
                told instanceof Delivery.RetryAfter later
                        ? TimeUnit.MILLISECONDS.toNanos(later.millis())
                        : 0;
        draft.refused = told instanceof Delivery.Refused;
        draft.nextNanos = System.nanoTime() + Math.max(pauseNanos, wait);
    }

    private static String outboxId(Document document) {
        return StrictJson.parse(document.content(), "a draft").path("outboxId").asText();
    }

    /** Ends the drafts of runs that ended; what it could not do is done by the next one. */
    public void sweep() {
        String after = "";
        while (true) {
            String from = after;
            List<Document> page = journal.call(store -> store.documents(COLLECTION, from, PAGE));
            page.forEach(this::end);
            if (page.size() < PAGE) {
                return;
            }
            after = page.getLast().key();
        }
    }

    /** The answer, or the reason of a failure, takes the place of the draft without this. */
    private void end(Document document) {
        Optional<RunRow> run = journal.call(store -> store.run(document.key()));
        Optional<OutboxRow> draft = journal.call(store -> store.outbox(outboxId(document)));
        boolean going = run.filter(row -> !row.state().terminal()).isPresent();
        if (going || draft.filter(row -> OPEN.contains(row.state())).isPresent()) {
            return;
        }
        Unit.Builder unit =
                Unit.builder()
                        .require(
                                new Precondition.DocumentAt(
                                        COLLECTION, document.key(), document.version()))
                        .add(new Operation.DeleteDocument(COLLECTION, document.key()));
        boolean cancelled = run.filter(row -> row.state() == RunState.CANCELLED).isPresent();
        draft.filter(row -> cancelled && !Dispatcher.sentId(draft).isEmpty())
                .ifPresent(row -> unit.add(new Operation.PutOutbox(cancelled(row))));
        try {
            Commits.commit(journal, unit.build());
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
            LOG.debug("Another sweep was faster.", e);
        }
    }

    private OutboxRow cancelled(OutboxRow draft) {
        Outbound message = Outbound.read(draft.payload());
        return row(
                ids.next(),
                draft.runId(),
                draft.surface(),
                new Outbound(
                        Outbound.DRAFT,
                        "Cancelled.",
                        message.conversation(),
                        "",
                        draft.outboxId(),
                        List.of(),
                        List.of()));
    }

    /** Returns how its thread is. */
    public LoopView view() {
        return timer.view();
    }

    @Override
    public void close() {
        timer.finish(CLOSE_MILLIS);
        open.values().forEach(draft -> draft.following.close());
        open.clear();
    }
}
