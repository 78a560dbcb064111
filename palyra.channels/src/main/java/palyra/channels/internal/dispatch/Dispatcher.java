package palyra.channels.internal.dispatch;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.OutboundMessage;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Lease;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.LoopView;
import palyra.channels.internal.approval.Question;
import palyra.channels.internal.files.HeldFiles;
import palyra.shared.channel.Outbound;
import palyra.shared.gate.Gate;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;
import palyra.shared.outcome.Commits;

/**
 * Sends what is in the outbox for one connector. Messages of a conversation go out one after the
 * other, in the order of their ids; a conversation that has to wait holds up no other. A send is
 * recorded as SENDING before the connector is asked, under a lease of the connector, so that after
 * a crash, or in another process, it is known that the platform may have the message; then the
 * connector looks for it.
 *
 * <p>One loop finds what is due; sends happen on threads of a pool, one for each conversation at a
 * time.
 */
public final class Dispatcher implements AutoCloseable {
    /**
     * Longest time for which one answer of a platform holds up all of its conversations; after it
     * the next message asks again.
     */
    static final long LONGEST_HOLD_MILLIS = 15 * 60_000L;

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final int PAGE = 64;
    private static final long LEASE_MILLIS = 30_000;
    private static final long LONGEST_WAIT_MILLIS = 5_000;
    private static final long NOT_READY_MILLIS = 500;
    private static final long CLOSE_MILLIS = 5_000;
    private static final long SETTLE_PAUSE_MILLIS = 200;
    private static final long SETBACK_MILLIS = 1_000;
    private static final String NO_ID = "-";

    private final Connector connector;
    private final String surface;
    private final String owner;
    private final Gate<Journal> journal;
    private final Supplier<DispatchSettings> settings;
    private final BooleanSupplier paused;
    private final InstantSource clock;
    private final Deliveries deliveries;
    private final SupervisedLoop loop;
    private final ExecutorService senders;
    private final Semaphore wake = new Semaphore(0);
    private final Set<String> busy = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> setbacks = new ConcurrentHashMap<>();
    private final Map<String, Integer> looks = new ConcurrentHashMap<>(); // in vain, by message
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong retried = new AtomicLong();
    private final AtomicLong dead = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong typed = new AtomicLong();
    private final AtomicLong untyped = new AtomicLong();
    private volatile long heldUntilMillis;
    private volatile OutboxRow oldest; // null when none waits
    private volatile long epoch;
    private volatile boolean stopping;
    private volatile Future<?> typing = CompletableFuture.completedFuture(null);
    private long leaseNanos; // on the thread of the loop
    private String cursor = ""; // on the thread of the loop

    /**
     * Creates a dispatcher; {@link #start} begins.
     *
     * @param owner names this life of it, for the lease
     * @param paused whether an operator paused the connector
     * @param held contents of files that are to be sent
     */
    public Dispatcher(
            Connector connector,
            String owner,
            Gate<Journal> journal,
            Supplier<DispatchSettings> settings,
            BooleanSupplier paused,
            HeldFiles held,
            InstantSource clock) {
        this.connector = connector;
        this.surface = connector.id().toString();
        this.owner = owner;
        this.journal = journal;
        this.settings = settings;
        this.paused = paused;
        this.clock = clock;
        this.deliveries = new Deliveries(connector, journal, held);
        this.loop =
                new SupervisedLoop(
                        LoopSpec.of("palyra-dispatch-" + surface, "palyra.channels"), this::run);
        this.senders =
                Executors.newCachedThreadPool(work -> new Thread(work, "palyra-send-" + surface));
    }

    /** Begins to send. Once only. */
    public void start() {
        loop.start();
    }

    /** Looks at the outbox soon. */
    public void wake() {
        wake.release();
    }

    private void run(Heartbeat pulse) throws InterruptedException {
        while (!pulse.isStopping()) {
            pulse.beat();
            wake.drainPermits();
            long wait = passUnlessStopped();
            pulse.idle();
            wake.tryAcquire(Math.max(1, wait), TimeUnit.MILLISECONDS);
        }
    }

    /** A look at the journal that the end interrupts is no failure. */
    private long passUnlessStopped() {
        try {
            return pass();
        } catch (PalyraException e) {
            if (!stopping) {
                throw e;
            }
            return LONGEST_WAIT_MILLIS;
        }
    }

    /** Hands on what is due; returns after how many milliseconds to look again. */
    private long pass() {
        if (paused.getAsBoolean()) {
            lookAtOldest();
            return LONGEST_WAIT_MILLIS;
        }
        if (!holdsLease()) {
            return LONGEST_WAIT_MILLIS;
        }
        boolean ready = ready();
        Pass pass = new Pass(clock.millis(), ready ? LONGEST_WAIT_MILLIS : NOT_READY_MILLIS);
        String from = cursor;
        boolean free = scan(pass, from, "\uffff");
        if (free && !from.isEmpty()) {
            scan(pass, "", from);
        }
        oldest = pass.oldest;
        return pass.wait;
    }

    /** What a pause holds back waits as well. */
    private void lookAtOldest() {
        OutboxRow first = null;
        String from = "";
        while (true) {
            String after = from;
            List<OutboxRow> page = journal.call(store -> store.outboxHeads(surface, after, PAGE));
            for (OutboxRow row : page) {
                first = older(first, row);
            }
            if (page.size() < PAGE) {
                oldest = first;
                return;
            }
            from = page.getLast().orderKey();
        }
    }

    private static final class Pass {
        private final long now;
        private long wait;
        private OutboxRow oldest;

        Pass(long now, long wait) {
            this.now = now;
            this.wait = wait;
        }
    }

    /** Goes through the conversations after one, up to another; false when all senders work. */
    private boolean scan(Pass pass, String after, String upTo) {
        String last = after;
        while (true) {
            String from = last;
            List<OutboxRow> page = journal.call(store -> store.outboxHeads(surface, from, PAGE));
            for (OutboxRow row : page) {
                if (row.orderKey().compareTo(upTo) > 0) {
                    return true;
                }
                if (!offer(pass, row)) {
                    return false;
                }
            }
            if (page.size() < PAGE) {
                cursor = "";
                return true;
            }
            last = page.getLast().orderKey();
        }
    }

    private static OutboxRow older(OutboxRow one, OutboxRow other) {
        return one == null || other.createdAtMillis() < one.createdAtMillis() ? other : one;
    }

    private boolean offer(Pass pass, OutboxRow row) {
        pass.oldest = older(pass.oldest, row);
        if (busy.contains(row.orderKey())) {
            return true;
        }
        boolean expired = expired(row, pass.now);
        long due =
                Math.max(
                        Math.max(row.progress().nextAttemptAtMillis(), heldUntilMillis),
                        setbacks.getOrDefault(row.orderKey(), 0L));
        boolean setback = setbacks.getOrDefault(row.orderKey(), 0L) > pass.now;
        if (setback || !expired && (due > pass.now || !ready())) {
            pass.wait = Math.min(pass.wait, Math.max(due - pass.now, 1));
            return true;
        }
        if (busy.size() >= settings.get().threads()) {
            return false; // the end of a send looks again
        }
        cursor = row.orderKey();
        if (busy.add(row.orderKey())) { // unless a change of a draft was faster
            setbacks.remove(row.orderKey());
            senders.execute(() -> work(row));
        }
        return true;
    }

    /**
     * Changes a message that was sent, by one attempt and without a record, in its turn: no other
     * message of the conversation is under way at the same time.
     *
     * @param wanted asked when nothing else can be sent to the conversation any more
     * @param told takes what became of it; called once when this returned true
     * @return whether it is handed over; false while the conversation, or the connector, has to
     *     wait
     */
    public boolean change(
            OutboundMessage message, BooleanSupplier wanted, Consumer<Delivery> told) {
        String orderKey = MessageOrigin.orderKey(message.conversation());
        if (waits(orderKey) || busy.size() >= settings.get().threads() || !busy.add(orderKey)) {
            return false;
        }
        try {
            senders.execute(() -> change(orderKey, message, wanted, told));
            return true;
        } catch (RejectedExecutionException e) {
            busy.remove(orderKey);
            return false;
        }
    }

    private boolean waits(String orderKey) {
        long until = Math.max(heldUntilMillis, setbacks.getOrDefault(orderKey, 0L));
        return stopping || paused.getAsBoolean() || !ready() || until > clock.millis();
    }

    private void change(
            String orderKey,
            OutboundMessage message,
            BooleanSupplier wanted,
            Consumer<Delivery> told) {
        Delivery delivery = new Delivery.Unknown("it was not sent");
        try {
            if (ownsLease() && wanted.getAsBoolean()) {
                delivery = deliveries.once(message);
            }
            if (delivery instanceof Delivery.RetryAfter later && later.millis() > 0) {
                hold(orderKey, later);
            }
        } catch (PalyraException e) {
            LOG.debug("{}: a draft is not changed now.", surface, e);
        } finally {
            told.accept(delivery);
            busy.remove(orderKey);
            wake();
        }
    }

    /**
     * Shows in a conversation that a run works for it, unless something is sent there, or it has to
     * wait. Nothing waits for it: an answer is sent beside it.
     *
     * @param wanted asked just before it is shown
     * @param told takes, when it was tried, after how many milliseconds to come again: 0 for never,
     *     -1 when it failed
     * @return whether it is handed over; one is at a time
     */
    public boolean type(Conversation place, BooleanSupplier wanted, LongConsumer told) {
        String orderKey = MessageOrigin.orderKey(place);
        if (!typing.isDone() || busy.contains(orderKey) || waits(orderKey)) {
            return false;
        }
        try {
            typing = senders.submit(() -> type(place, orderKey, wanted, told));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private void type(
            Conversation place, String orderKey, BooleanSupplier wanted, LongConsumer told) {
        try {
            if (ownsLease() && !busy.contains(orderKey) && wanted.getAsBoolean()) {
                told.accept(Math.max(0, connector.typing(place)));
                typed.incrementAndGet();
            }
        } catch (RuntimeException e) {
            LOG.debug("{} does not show that it writes.", surface, e);
            untyped.incrementAndGet();
            told.accept(-1);
        }
    }

    /** What has no record is fenced by a look before it. */
    private boolean ownsLease() {
        return journal.call(store -> store.lease("channel/" + surface))
                .filter(lease -> lease.owner().equals(owner) && lease.epoch() == epoch)
                .filter(lease -> lease.expiresAtMillis() > clock.millis())
                .isPresent();
    }

    /** The platform said how long the conversation, or the account, has to wait. */
    private void hold(String orderKey, Delivery.RetryAfter later) {
        long now = clock.millis();
        long until = Math.min(now + later.millis(), now + LONGEST_HOLD_MILLIS);
        if (later.conversationOnly()) {
            setbacks.merge(orderKey, until, Math::max);
        } else {
            heldUntilMillis = Math.max(heldUntilMillis, until);
        }
    }

    /** Returns the platform's id of the message that a row became; empty when it has none. */
    public static String sentId(Optional<OutboxRow> row) {
        return row.filter(one -> one.state() == OutboxRow.State.SENT)
                .map(one -> one.progress().sentIds())
                .filter(ids -> !ids.isEmpty() && !ids.getFirst().equals(NO_ID))
                .map(List::getFirst)
                .orElse("");
    }

    private boolean ready() {
        ConnectorStatus.State state = connector.status().state();
        return state == ConnectorStatus.State.READY || state == ConnectorStatus.State.DEGRADED;
    }

    /** Renewed at a third of its time, so that a pass does not cost a commit. */
    private boolean holdsLease() {
        long now = System.nanoTime();
        if (epoch > 0 && now - leaseNanos < TimeUnit.MILLISECONDS.toNanos(LEASE_MILLIS / 3)) {
            return true;
        }
        try {
            Lease lease =
                    journal.call(
                            store -> store.takeLease("channel/" + surface, owner, LEASE_MILLIS));
            epoch = lease.epoch();
            leaseNanos = now;
            return true;
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
            epoch = 0; // another process sends
            return false;
        }
    }

    private boolean expired(OutboxRow row, long now) {
        long expiry = settings.get().expiryMillis();
        return expiry > 0
                && row.state() == OutboxRow.State.PENDING
                && now - row.createdAtMillis() > expiry
                && !row.progress().reason().startsWith(DeadLetters.REPLAYED);
    }

    /** Sends one message with all its parts, as far as it comes. */
    private void work(OutboxRow row) {
        try {
            Optional<OutboxRow> next = unchanged(row);
            while (next.isPresent() && !stopping) {
                next = step(next.get());
            }
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CORRUPT || e.code() == ErrorCode.INVALID_ARGUMENT) {
                quarantine(row, e);
            } else {
                LOG.info(
                        "{}: message {} is tried again: {}",
                        surface,
                        row.outboxId(),
                        e.getMessage());
            }
            setbacks.put(row.orderKey(), clock.millis() + SETBACK_MILLIS);
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            LOG.warn("{}: message {} met a defect", surface, row.outboxId(), e);
            quarantine(row, e);
            setbacks.put(row.orderKey(), clock.millis() + SETBACK_MILLIS);
        } catch (Error e) { // of the process, or of a bundle that is being replaced
            LOG.error("{}: message {} is tried again", surface, row.outboxId(), e);
            setbacks.put(row.orderKey(), clock.millis() + SETBACK_MILLIS);
            throw e;
        } finally {
            busy.remove(row.orderKey());
            wake();
        }
    }

    /** An earlier send of the conversation may have ended after the look that found the row. */
    private Optional<OutboxRow> unchanged(OutboxRow row) {
        return journal.call(store -> store.outbox(row.outboxId()))
                .filter(now -> now.state() == row.state())
                .filter(now -> now.progress().equals(row.progress()));
    }

    /** Returns the same row when another part of it is to be sent at once. */
    private Optional<OutboxRow> step(OutboxRow row) {
        Outbound stored = Outbound.read(row.payload());
        boolean expired = expired(row, clock.millis());
        boolean late =
                expired || Deliveries.isDraft(stored) && isPending(row) && deliveries.isOver(row);
        if (late && stored.isDispensable()) {
            settle(row, OutboxRow.State.WITHDRAWN, because(row, "it is too late to show it"));
            return Optional.empty();
        }
        if (deliveries.asksInVain(row, stored)) {
            settle(row, OutboxRow.State.WITHDRAWN, because(row, Question.OVER));
            return Optional.empty();
        }
        if (expired) {
            dead.incrementAndGet();
            settle(
                    row,
                    OutboxRow.State.FAILED,
                    because(row, "expired: it could not be sent in time"));
            return Optional.empty();
        }
        Optional<OutboxRow> draft = deliveries.draft(row, stored);
        if (draft.isPresent() && draft.get().state() == OutboxRow.State.SENDING) {
            return step(draft.get()); // both have the same millisecond in their ids
        }
        Outbound outbound = draft.map(one -> stored.editing(one.outboxId())).orElse(stored);
        List<String> parts = deliveries.parts(outbound);
        if (row.state() == OutboxRow.State.SENDING) {
            Delivery found = deliveries.lookup(row, outbound, parts);
            return stored.isDispensable()
                    ? settleDispensable(row, stored, parts, found)
                    : settle(row, parts, found);
        }
        if (!ready()) {
            return Optional.empty();
        }
        OutboxRow begun = begin(row, stored, parts);
        Optional<Delivery> delivery = deliveries.send(begun, outbound, parts);
        if (delivery.isEmpty()) {
            settle(
                    begun,
                    OutboxRow.State.WITHDRAWN,
                    because(begun, "the message that it changes was never sent"));
            return Optional.empty();
        }
        if (stored.isDispensable()) {
            return settleDispensable(begun, stored, parts, delivery.get());
        }
        if (draft.isPresent() && delivery.get() instanceof Delivery.Refused refused) {
            return asNewMessage(begun, draft.get(), refused.reason());
        }
        return settle(begun, parts, delivery.get());
    }

    private static boolean isPending(OutboxRow row) {
        return row.state() == OutboxRow.State.PENDING;
    }

    /**
     * A draft that does not become a message at once becomes none; its end, and a reaction, are
     * tried again, and given up without a dead letter.
     */
    private Optional<OutboxRow> settleDispensable(
            OutboxRow row, Outbound outbound, List<String> parts, Delivery delivery) {
        boolean later =
                delivery instanceof Delivery.RetryAfter wait
                        && !Deliveries.isDraft(outbound)
                        && (wait.millis() > 0 || row.attempts() < settings.get().maxAttempts());
        if (delivery instanceof Delivery.Delivered || later) {
            return settle(row, parts, delivery);
        }
        if (delivery instanceof Delivery.Unknown && deliveries.looksUp() && looksAgain(row)) {
            return Optional.empty();
        }
        if (delivery instanceof Delivery.RetryAfter wait && wait.millis() > 0) {
            hold(row.orderKey(), wait);
        }
        settle(row, OutboxRow.State.WITHDRAWN, because(row, "not shown: " + reason(delivery)));
        return Optional.empty();
    }

    private static String reason(Delivery delivery) {
        return switch (delivery) {
            case Delivery.RetryAfter later -> later.reason();
            case Delivery.Refused refused -> refused.reason();
            case Delivery.Unknown unclear -> unclear.reason();
            case Delivery.Delivered delivered -> "";
        };
    }

    /** The draft is gone at the platform, so the answer is a message of its own. */
    private Optional<OutboxRow> asNewMessage(OutboxRow row, OutboxRow draft, String reason) {
        settle(
                row,
                OutboxRow.State.PENDING,
                row.progress(),
                new Operation.MoveOutbox(
                        draft.outboxId(),
                        OutboxRow.State.SENT,
                        OutboxRow.State.WITHDRAWN,
                        because(draft, reason)));
        return Optional.of(in(row, OutboxRow.State.PENDING, row.progress()));
    }

    /** Durable before the connector is asked. */
    private OutboxRow begin(OutboxRow row, Outbound outbound, List<String> parts) {
        OutboxProgress progress = row.progress().begunBy(owner, epoch);
        Unit.Builder unit = Unit.builder().require(fence());
        if (outbound.parts().isEmpty() && parts.size() > 1) {
            unit.add(new Operation.RewriteOutbox(row.outboxId(), outbound.in(parts).bytes()));
        }
        unit.add(
                new Operation.MoveOutbox(
                        row.outboxId(),
                        OutboxRow.State.PENDING,
                        OutboxRow.State.SENDING,
                        progress));
        Commits.commit(journal, unit.build());
        return in(row, OutboxRow.State.SENDING, progress.withAttempts(progress.attempts() + 1));
    }

    private Precondition fence() {
        return new Precondition.HoldsLease("channel/" + surface, owner, epoch);
    }

    private Optional<OutboxRow> settle(OutboxRow row, List<String> parts, Delivery delivery) {
        return switch (delivery) {
            case Delivery.Delivered delivered -> delivered(row, parts, delivered.messageId());
            case Delivery.RetryAfter later -> later(row, later);
            case Delivery.Refused refused -> {
                dead.incrementAndGet();
                settle(row, OutboxRow.State.FAILED, because(row, refused.reason()));
                yield Optional.empty();
            }
            case Delivery.Unknown unclear -> unknown(row, unclear.reason());
        };
    }

    private Optional<OutboxRow> delivered(OutboxRow row, List<String> parts, String id) {
        OutboxProgress progress = row.progress().sent(id.isEmpty() ? NO_ID : id);
        if (row.progress().part() == parts.size() - 1) {
            sent.incrementAndGet();
            settle(row, OutboxRow.State.SENT, progress.withAttempts(row.attempts()));
            return Optional.empty();
        }
        settle(row, OutboxRow.State.PENDING, progress);
        return Optional.of(in(row, OutboxRow.State.PENDING, progress));
    }

    private Optional<OutboxRow> later(OutboxRow row, Delivery.RetryAfter later) {
        boolean putOff = later.millis() > 0;
        int attempts = row.attempts();
        if (!putOff && attempts >= settings.get().maxAttempts()) {
            dead.incrementAndGet();
            settle(
                    row,
                    OutboxRow.State.FAILED,
                    because(row, attempts + " attempts failed, the last: " + later.reason()));
            return Optional.empty();
        }
        retried.incrementAndGet();
        long at = clock.millis() + (putOff ? later.millis() : settings.get().delayMillis(attempts));
        if (!later.conversationOnly()) {
            heldUntilMillis =
                    Math.max(heldUntilMillis, Math.min(at, clock.millis() + LONGEST_HOLD_MILLIS));
        }
        OutboxProgress progress =
                putOff ? row.progress().withAttempts(Math.max(0, attempts - 1)) : row.progress();
        settle(row, OutboxRow.State.PENDING, progress.retryAt(at, shortened(later.reason())));
        return Optional.empty();
    }

    private Optional<OutboxRow> unknown(OutboxRow row, String reason) {
        if (deliveries.looksUp() && looksAgain(row)) {
            return Optional.empty();
        }
        if (settings.get().resendUnknown()) {
            return later(row, Delivery.RetryAfter.of(0, reason));
        }
        unknown.incrementAndGet();
        settle(row, OutboxRow.State.UNKNOWN, because(row, reason));
        return Optional.empty();
    }

    /** A platform that cannot tell now may later: the message stays SENDING until then. */
    private boolean looksAgain(OutboxRow row) {
        int made = looks.merge(row.outboxId(), 1, Integer::sum);
        setbacks.put(row.orderKey(), clock.millis() + settings.get().delayMillis(made));
        return made < settings.get().maxAttempts();
    }

    /** What no attempt can send costs itself and not its conversation. */
    private void quarantine(OutboxRow row, Throwable defect) {
        try {
            Optional<OutboxRow> now = journal.call(store -> store.outbox(row.outboxId()));
            if (now.isPresent() && now.get().state() == OutboxRow.State.PENDING) {
                dead.incrementAndGet();
                settle(
                        now.get(),
                        OutboxRow.State.FAILED,
                        because(now.get(), "it cannot be sent: " + defect));
            } else if (now.isPresent() && now.get().state() == OutboxRow.State.SENDING) {
                unknown.incrementAndGet();
                settle(
                        now.get(),
                        OutboxRow.State.UNKNOWN,
                        because(now.get(), "it cannot be looked for: " + defect));
            }
        } catch (PalyraException e) {
            LOG.info(
                    "{}: message {} is looked at again: {}",
                    surface,
                    row.outboxId(),
                    e.getMessage());
        }
    }

    /**
     * Records what became of a message. The platform has acted: so this goes on until the journal
     * takes it or says that another process has the connector now; what is not recorded when the
     * dispatcher ends is SENDING, and looked for in the next life.
     */
    private void settle(
            OutboxRow row, OutboxRow.State to, OutboxProgress progress, Operation... others) {
        looks.remove(row.outboxId());
        Unit.Builder move =
                Unit.builder()
                        .require(fence())
                        .add(new Operation.MoveOutbox(row.outboxId(), row.state(), to, progress));
        List.of(others).forEach(move::add);
        Unit unit = move.build();
        while (true) {
            try {
                Commits.commit(journal, unit);
                return;
            } catch (PalyraException e) {
                boolean passes =
                        e.code() != ErrorCode.CONFLICT
                                && e.code() != ErrorCode.STALE_EPOCH
                                && e.code() != ErrorCode.NOT_FOUND
                                && e.code() != ErrorCode.OUTCOME_UNKNOWN
                                && e.code() != ErrorCode.INVALID_ARGUMENT;
                if (!passes || stopping || !pause()) {
                    throw e;
                }
            }
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(SETTLE_PAUSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static OutboxProgress because(OutboxRow row, String reason) {
        return row.progress().retryAt(0, shortened(reason));
    }

    private static String shortened(String reason) {
        return reason.length() <= 1_000 ? reason : reason.substring(0, 1_000) + "…";
    }

    private static OutboxRow in(OutboxRow row, OutboxRow.State state, OutboxProgress progress) {
        return new OutboxRow(
                row.outboxId(),
                row.runId(),
                row.surface(),
                row.orderKey(),
                row.payload(),
                state,
                progress,
                row.createdAtMillis(),
                row.updatedAtMillis());
    }

    /** Returns how many messages were sent, tried again, given up and left unknown, by word. */
    public Map<String, Long> counts() {
        return Map.of(
                "sent", sent.get(),
                "retried", retried.get(),
                "dead", dead.get(),
                "unknown", unknown.get());
    }

    /** Returns how often a conversation was shown that a run works, and how often not, by word. */
    public Map<String, Long> typingCounts() {
        return Map.of("shown", typed.get(), "failed", untyped.get());
    }

    /** Returns when the oldest message that waits was put; 0 when none does. */
    public long oldestMillis() {
        return waiting().map(OutboxRow::createdAtMillis).orElse(0L);
    }

    private Optional<OutboxRow> waiting() {
        return Optional.ofNullable(oldest);
    }

    /** Returns why the oldest message that waits was not sent yet; empty when it was not tried. */
    public String waitingReason() {
        return waiting()
                .map(row -> row.progress().reason())
                .filter(reason -> !reason.startsWith(DeadLetters.REPLAYED))
                .orElse("");
    }

    /** Returns until when the platform lets the whole account wait; 0 when it never did. */
    public long heldUntilMillis() {
        return heldUntilMillis;
    }

    /** Returns how the loop is. */
    public LoopView view() {
        return loop.view();
    }

    /** Begins no further send and waits, for a few seconds at most, for those under way. */
    @Override
    public void close() {
        stopping = true;
        typing.cancel(true);
        wake();
        loop.close(CLOSE_MILLIS);
        senders.shutdown();
        try {
            if (!senders.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
                senders.shutdownNow();
                senders.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            senders.shutdownNow();
            Thread.currentThread().interrupt();
        }
        try {
            journal.run(store -> store.releaseLease("channel/" + surface, owner));
        } catch (PalyraException e) {
            LOG.debug("The lease of {} ends by its time.", surface, e);
        }
    }
}
