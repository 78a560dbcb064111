package palyra.testing.channel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.Acceptance;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.InboundAction;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.MessageOrigin;
import palyra.api.channel.Sender;

/**
 * The gateway's side of a connector, for one life of it: it stores messages once, and can refuse
 * them, lose the answer, hang, and die at any step. {@link #nextLife} is a context that knows what
 * this one stored. Thread-safe.
 */
public final class FakeConnectorContext implements ConnectorContext, AutoCloseable {
    /** What happens to one {@link #accept} in place of the usual. */
    public enum AcceptFault {
        /** The message is not stored: too many wait. */
        REFUSED,
        /** The message is stored, and the connector is told that it is not known. */
        ANSWER_LOST,
        /** The message is not answered, by a rule. */
        IGNORED
    }

    /** A journal takes some time: what is handed in side by side is then seen to be. */
    private static final long WRITE_NANOS = 500_000;

    /** What the journal keeps over lives. */
    private static final class Kept {
        private final Map<String, InboundMessage> messages = new LinkedHashMap<>();
        private byte[] position;
    }

    private final Kept kept;
    private final Map<String, String> secrets;
    private final Deque<AcceptFault> faults = new ArrayDeque<>();
    private final List<InboundMessage> handedIn = new ArrayList<>();
    private final List<Long> refusedAtNanos = new ArrayList<>();
    private final List<InboundMessage> asides = new ArrayList<>();
    private final List<InboundAction> pressed = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<String> inside = new HashSet<>();
    private Consumer<InboundMessage> onAccept = message -> {};
    private Function<InboundMessage, String> ignoring = message -> "";
    private Function<InboundMessage, String> saying = message -> "";
    private Function<InboundAction, String> pressing = action -> "Done.";
    private Predicate<String> askingReason = data -> false;
    private BiFunction<String, Sender, String> refusal = (data, sender) -> "";
    private boolean refusing;
    private boolean hanging;
    private boolean closed;
    private boolean died;
    private boolean secretsAway;
    private boolean positionAway;
    private int hung;
    private int underWay;
    private int callsAfterClose;
    private int steps;
    private int lastStep = Integer.MAX_VALUE;

    private FakeConnectorContext(Kept kept, Map<String, String> secrets) {
        this.kept = kept;
        this.secrets = secrets;
    }

    /** Returns a context that knows nothing yet. */
    public static FakeConnectorContext empty(Map<String, String> secrets) {
        return new FakeConnectorContext(new Kept(), new ConcurrentHashMap<>(secrets));
    }

    /** Closes this and returns the context of the connector's next life. */
    public FakeConnectorContext nextLife() {
        close();
        return new FakeConnectorContext(kept, secrets);
    }

    /** Sets what happens to the next messages. */
    public synchronized void fail(AcceptFault... next) {
        faults.addAll(List.of(next));
    }

    /** Refuses all messages, or ends that. */
    public synchronized void refuse(boolean refuse) {
        refusing = refuse;
    }

    /**
     * Lets {@link #accept} hang before it stores, or ends that. A thread is freed by interruption.
     */
    public synchronized void hang(boolean hang) {
        hanging = hang;
        notifyAll();
    }

    /** Lets {@link #secret} fail, as without a vault, or ends that. */
    public synchronized void takeSecretsAway(boolean away) {
        secretsAway = away;
    }

    /** Puts a secret, or another value of it, as an operator does; also for later lives. */
    public void putSecret(String reference, String value) {
        secrets.put(reference, value);
    }

    /** Removes a secret. */
    public void removeSecret(String reference) {
        secrets.remove(reference);
    }

    /** Lets {@link #position} fail, as without a journal, or ends that. */
    public synchronized void takePositionAway(boolean away) {
        positionAway = away;
    }

    /** Sets the position back, as a crash does with one that was not written yet. */
    public void setPositionBack(byte[] earlier) {
        synchronized (kept) {
            kept.position = earlier.clone();
        }
    }

    /**
     * Lets the gateway die at a step: each call that changes something has two, before its change
     * and after it. From then on every call fails.
     *
     * @param step 1 is the first
     */
    public synchronized void dieAt(int step) {
        lastStep = step;
    }

    /** Sets what is called first in each {@link #accept}, by the connector's thread. */
    public synchronized void onAccept(Consumer<InboundMessage> look) {
        onAccept = look;
    }

    /**
     * Sets of which messages the rules answer none.
     *
     * @param why returns the reason, such as {@code sender_denied}; empty for those that are taken
     */
    public synchronized void ignores(Function<InboundMessage, String> why) {
        ignoring = why;
    }

    /**
     * Sets what the gateway itself answers to those who can be told something alone.
     *
     * @param words returns the answer to a message of {@link #acceptAside}; empty for none
     */
    public synchronized void says(Function<InboundMessage, String> words) {
        saying = words;
    }

    /** Sets at which buttons, by their data, the one who presses is asked why. */
    public synchronized void asksReasonAt(Predicate<String> buttons) {
        askingReason = buttons;
    }

    /**
     * Sets who may not press what, as is known before it is passed on.
     *
     * @param why returns the sentence for who may not, by the button's data; empty for who may
     */
    public synchronized void refusesPresses(BiFunction<String, Sender, String> why) {
        refusal = why;
    }

    /**
     * Sets what a press does, by the connector's thread: it returns what is shown to who pressed,
     * hangs, or throws.
     */
    public synchronized void onPress(Function<InboundAction, String> press) {
        pressing = press;
    }

    /** Refuses every call from now on, as the gateway does when the connector was stopped. */
    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Returns what was stored in all lives, each message once, in the order of storing. */
    public List<InboundMessage> stored() {
        synchronized (kept) {
            return List.copyOf(kept.messages.values());
        }
    }

    /** Returns what was handed in, in this life, as often as it was. */
    public synchronized List<InboundMessage> handedIn() {
        return List.copyOf(handedIn);
    }

    /** Returns when messages were refused, by {@link System#nanoTime}. */
    public synchronized List<Long> refusedAtNanos() {
        return List.copyOf(refusedAtNanos);
    }

    /** Returns what was handed in of those who can be told something alone. */
    public synchronized List<InboundMessage> asides() {
        return List.copyOf(asides);
    }

    /** Returns the reasons of {@link #pressed}, in the same order; empty ones for none. */
    public synchronized List<String> reasons() {
        return List.copyOf(reasons);
    }

    /** Returns the buttons that were pressed. */
    public synchronized List<InboundAction> pressed() {
        return List.copyOf(pressed);
    }

    /** Returns sentences about calls that the contract does not allow. */
    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    /** Returns how many threads hang in {@link #accept}. */
    public synchronized int hung() {
        return hung;
    }

    /** Returns how many calls are under way. */
    public synchronized int underWay() {
        return underWay;
    }

    /** Returns how many calls came after {@link #close}. */
    public synchronized int callsAfterClose() {
        return callsAfterClose;
    }

    /** Returns whether the gateway died, see {@link #dieAt}. */
    public synchronized boolean died() {
        return died;
    }

    @Override
    public Acceptance accept(InboundMessage message) {
        return accept(message, new byte[0]);
    }

    @Override
    public Acceptance accept(InboundMessage message, byte[] position) {
        byte[] copy = usable(position);
        return call(() -> take(message, copy));
    }

    @Override
    public Acceptance acceptAside(InboundMessage message, byte[] position) {
        byte[] copy = usable(position);
        return call(
                () -> {
                    Acceptance taken = take(message, copy);
                    String said = aside(message).apply(message);
                    return new Acceptance(taken.outcome(), taken.messageId(), taken.reason(), said);
                });
    }

    private synchronized Function<InboundMessage, String> aside(InboundMessage message) {
        asides.add(message);
        return saying;
    }

    private Acceptance take(InboundMessage message, byte[] position) {
        String order = MessageOrigin.orderKey(message.conversation());
        Consumer<InboundMessage> look;
        synchronized (this) {
            handedIn.add(message);
            look = onAccept;
            if (!inside.add(order)) {
                violations.add("two messages of " + order + " were handed in at one time");
            }
        }
        try {
            look.accept(message);
            LockSupport.parkNanos(WRITE_NANOS);
            waitWhileHanging();
            return store(message, position);
        } finally {
            synchronized (this) {
                inside.remove(order);
            }
        }
    }

    private synchronized void waitWhileHanging() {
        hung++;
        try {
            while (hanging && !closed) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.JOURNAL_UNAVAILABLE, "Interrupted; the message was not stored.");
        } finally {
            hung--;
        }
    }

    private Acceptance store(InboundMessage message, byte[] position) {
        AcceptFault fault = nextFault();
        if (fault == AcceptFault.REFUSED) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "Too many messages wait; hand it in again later.");
        }
        step();
        String key = message.messageId() + "/" + message.revision();
        boolean known;
        synchronized (kept) {
            known = kept.messages.putIfAbsent(key, message) != null;
            kept.position = position.length == 0 ? kept.position : position;
        }
        step();
        if (fault == AcceptFault.ANSWER_LOST) {
            throw new PalyraException(
                    ErrorCode.OUTCOME_UNKNOWN, "It is not known whether the message was stored.");
        }
        String why = fault == AcceptFault.IGNORED ? "sender_denied" : ignored().apply(message);
        if (!why.isEmpty()) {
            return new Acceptance(Acceptance.Outcome.IGNORED, key, why);
        }
        return new Acceptance(
                known ? Acceptance.Outcome.KNOWN : Acceptance.Outcome.STORED, key, "");
    }

    private synchronized Function<InboundMessage, String> ignored() {
        return ignoring;
    }

    private synchronized AcceptFault nextFault() {
        AcceptFault fault = refusing ? AcceptFault.REFUSED : faults.poll();
        if (fault == AcceptFault.REFUSED) {
            refusedAtNanos.add(System.nanoTime());
        }
        return fault;
    }

    private synchronized void step() {
        steps++;
        if (steps >= lastStep) {
            died = true;
            throw dead();
        }
    }

    private static PalyraException dead() {
        return new PalyraException(ErrorCode.GATEWAY_UNAVAILABLE, "The gateway died.");
    }

    @Override
    public void keepPosition(byte[] position) {
        byte[] copy = usable(position);
        call(
                () -> {
                    step();
                    synchronized (kept) {
                        kept.position = copy;
                    }
                    step();
                    return null;
                });
    }

    private static byte[] usable(byte[] position) {
        if (position.length > 16_384) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "A position of " + position.length + " bytes.");
        }
        return position.clone();
    }

    @Override
    public Optional<byte[]> position() {
        return call(
                () -> {
                    if (positionAway()) {
                        throw new PalyraException(
                                ErrorCode.JOURNAL_UNAVAILABLE, "The journal is away.");
                    }
                    return keptPosition();
                });
    }

    private synchronized boolean positionAway() {
        return positionAway;
    }

    /** Returns what is kept as position, for tests to look at. */
    public Optional<byte[]> keptPosition() {
        synchronized (kept) {
            return Optional.ofNullable(kept.position).map(byte[]::clone);
        }
    }

    @Override
    public String press(InboundAction action) {
        return press(action, "");
    }

    /** Cuts no reason, so that one that is too long is seen. */
    @Override
    public String press(InboundAction action, String reason) {
        return call(() -> pressed(action, reason).apply(action));
    }

    private synchronized Function<InboundAction, String> pressed(
            InboundAction action, String reason) {
        pressed.add(action);
        reasons.add(reason);
        return pressing;
    }

    @Override
    public boolean asksReason(String data) {
        return call(() -> asking().test(data));
    }

    private synchronized Predicate<String> asking() {
        return askingReason;
    }

    @Override
    public String refusal(String data, Sender sender) {
        return call(() -> refusal().apply(data, sender));
    }

    private synchronized BiFunction<String, Sender, String> refusal() {
        return refusal;
    }

    @Override
    public String secret(String reference) {
        return call(
                () -> {
                    if (secretsAway()) {
                        throw new PalyraException(
                                ErrorCode.KEYS_UNAVAILABLE, "The vault is not open.");
                    }
                    String value = secrets.get(reference);
                    if (value == null) {
                        throw new PalyraException(
                                ErrorCode.NOT_FOUND, "There is no secret " + reference + ".");
                    }
                    return value;
                });
    }

    private synchronized boolean secretsAway() {
        return secretsAway;
    }

    /** Returns the values of all secrets. */
    Collection<String> secretValues() {
        return List.copyOf(secrets.values());
    }

    @Override
    public String principal() {
        return call(() -> "system:connector");
    }

    private <T> T call(Supplier<T> call) {
        synchronized (this) {
            if (closed) {
                callsAfterClose++;
                throw new PalyraException(
                        ErrorCode.GATEWAY_UNAVAILABLE, "The connector was stopped.");
            }
            if (died) {
                throw dead();
            }
            underWay++;
        }
        try {
            return call.get();
        } finally {
            synchronized (this) {
                underWay--;
            }
        }
    }
}
