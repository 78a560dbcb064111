package palyra.connectors.discord.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The life of one gateway connection after another: events in, actions out, and no other effect.
 * Times are those of one monotonic clock in milliseconds. Thread-safe.
 */
final class GatewayMachine {
    private static final long HELLO_MILLIS = 20_000; // until the connection says something
    private static final long LOGIN_MILLIS = 60_000; // until a session is there
    private static final long HEALTHY_MILLIS = 30_000; // after which failures are forgotten
    private static final long WORKED_MILLIS = 5_000; // after which a session with events counts
    private static final int MOST_QUICK_LOSSES = 3; // of sessions, at Discord's own pace
    private static final int MOST_UNHEARD = 3;
    private static final int RESUME_ADDRESS_TRIES = 2;
    private static final int LOSSES = 3;
    private static final long LOSSES_MILLIS = 600_000;
    private static final long SOON_MILLIS = 60_000;

    /** Heartbeats are answered by another part of Discord than the one that sends events. */
    static final long QUIET_MILLIS = 900_000;

    /** Sequence before the first event. */
    static final long NONE = -1;

    /** Where it is. */
    enum State {
        DISCONNECTED,
        CONNECTING,
        IDENTIFYING,
        RESUMING,
        READY,
        BACKOFF,
        FAILED
    }

    /**
     * How long is waited.
     *
     * @param firstMillis at most after a first failure; doubled with each further one
     * @param mostMillis at most
     * @param invalidMillis least and half of the most wait after an invalid session
     */
    record Waits(long firstMillis, long mostMillis, long invalidMillis) {
        static final Waits USUAL = new Waits(1_000, 120_000, 1_000);
    }

    /** What happens. */
    sealed interface Event {
        /** It begins, or a wait is over, or what failed may work now. */
        record Begin() implements Event {}

        /**
         * Discord told where its gateway is.
         *
         * @param remaining how often the bot may still log in
         * @param resetMillis when that is set back, from now
         */
        record Found(String url, int remaining, long resetMillis) implements Event {}

        /**
         * Discord did not tell, or could not be connected to.
         *
         * @param leastMillis how long Discord asks to wait
         */
        record Unreachable(String reason, long leastMillis) implements Event {}

        /** There is no token that Discord knows. */
        record Tokenless(String reason) implements Event {}

        /** The server greeted. */
        record Hello(long intervalMillis) implements Event {}

        /** An event of the session came and is handled. */
        record Dispatched() implements Event {}

        /** A heartbeat was answered. */
        record Ack() implements Event {}

        /** The server wants a heartbeat now. */
        record BeatAsked() implements Event {}

        /** A session began. */
        record Ready(String sessionId, String resumeUrl) implements Event {}

        /**
         * A session cannot be used.
         *
         * @param atOnce whether another one is begun at once, as one was that works
         */
        record Unusable(String reason, boolean atOnce) implements Event {}

        /** The session goes on, and what was missed came. */
        record Resumed() implements Event {}

        /** The server wants another connection. */
        record Reconnect() implements Event {}

        /** The session cannot be used; resumable when it can be with another connection. */
        record Invalid(boolean resumable) implements Event {}

        /** The connection was closed with a code. */
        record Closed(int code, String reason) implements Event {}

        /** The connection broke. */
        record Broken(String reason) implements Event {}

        /**
         * Time passes.
         *
         * @param waitingSince since when the reader waits for the next message; {@link
         *     Long#MAX_VALUE} while it does not
         */
        record Tick(long waitingSince) implements Event {}
    }

    /** What is to be done. */
    sealed interface Action {
        /** Ask Discord where its gateway is. */
        record Find() implements Action {}

        /** Connect. */
        record Open(String url, boolean identifies) implements Action {}

        /** Begin a session. */
        record Identify() implements Action {}

        /** Go on with the session that was handed in. */
        record Resume(String sessionId) implements Action {}

        /** Send a heartbeat with the sequence of the last durable event. */
        record Beat() implements Action {}

        /** Close the connection so that the session can go on; its end is an event. */
        record Close(String why) implements Action {}

        /** Drop the connection at once; no event follows. */
        record Drop() implements Action {}

        /** Come back with {@link Event.Begin} after a while. */
        record Wait(long millis) implements Action {}

        /** The session and what was missed in it are gone: catch up otherwise. */
        record Forget() implements Action {}

        /** Wait until a person has changed something. */
        record Fail(int code) implements Action {}
    }

    private final Waits waits;
    private final LongUnaryOperator random; // a number from 0 up to an argument, exclusive
    private final Deque<Long> losses = new ArrayDeque<>();

    private State state = State.DISCONNECTED;
    private String sessionId; // empty for none
    private String resumeUrl;
    private String reason = "";
    private int failures; // in a row
    private int resumeAddressFailures; // in a row
    private long waitUntil;
    private long openedAt;
    private long readyAt;
    private long interval; // 0 before the greeting
    private long beatAt; // when the next one is due
    private long lastBeatAt;
    private int unheard; // heartbeats without an answer
    private long eventAt; // when the last event of the session came
    private boolean worked; // whether events came since it is ready

    /** Creates one; an empty session id begins a session. */
    GatewayMachine(String sessionId, String resumeUrl, Waits waits, LongUnaryOperator random) {
        this.sessionId = sessionId;
        this.resumeUrl = resumeUrl;
        this.waits = waits;
        this.random = random;
    }

    synchronized State state() {
        return state;
    }

    /** Returns why it is not ready; empty when it is. */
    synchronized String reason() {
        return reason;
    }

    /** Returns when a wait is over, by its clock; 0 for none. */
    synchronized long waitUntil() {
        return state == State.BACKOFF ? waitUntil : 0;
    }

    /** Returns whether sessions are lost as when two programs use one token. */
    synchronized boolean isContended(long now) {
        losses.removeIf(at -> now - at > LOSSES_MILLIS);
        return losses.size() >= LOSSES;
    }

    /** Returns what follows from an event. */
    synchronized List<Action> on(Event event, long now) {
        return switch (event) {
            case Event.Begin begin -> begin(now);
            case Event.Found found -> found(found, now);
            case Event.Unreachable failed -> unreachable(failed, now);
            case Event.Tokenless tokenless -> {
                reason = tokenless.reason();
                yield fail(CloseCodes.AUTHENTICATION_FAILED);
            }
            case Event.Hello hello -> hello(hello, now);
            case Event.Dispatched dispatched -> {
                eventAt = now;
                worked |= state == State.READY;
                yield List.of();
            }
            case Event.Ack ack -> {
                unheard = 0;
                yield List.of();
            }
            case Event.BeatAsked asked -> List.of(new Action.Beat());
            case Event.Ready ready -> ready(ready, now);
            case Event.Unusable unusable -> {
                reason = unusable.reason();
                yield unusable.atOnce() && failures == 0
                        ? drop(forgotten(waiting(1, now)))
                        : forgotten(over(now));
            }
            case Event.Resumed resumed -> resumed(now);
            case Event.Reconnect again -> {
                reason = "Discord asked for another connection.";
                yield over(now);
            }
            case Event.Invalid invalid -> invalid(invalid, now);
            case Event.Closed closed -> closed(closed, now);
            case Event.Broken broken -> {
                reason = "The connection to Discord broke: " + broken.reason();
                yield over(now);
            }
            case Event.Tick tick -> tick(tick, now);
        };
    }

    private List<Action> begin(long now) {
        if (state != State.DISCONNECTED && state != State.BACKOFF && state != State.FAILED) {
            return List.of();
        }
        if (!sessionId.isEmpty()
                && !resumeUrl.isEmpty()
                && resumeAddressFailures < RESUME_ADDRESS_TRIES) {
            return open(resumeUrl, now);
        }
        state = State.CONNECTING;
        openedAt = now;
        return List.of(new Action.Find());
    }

    private List<Action> open(String url, long now) {
        state = State.CONNECTING;
        openedAt = now;
        interval = 0;
        unheard = 0;
        return List.of(new Action.Open(url, sessionId.isEmpty()));
    }

    private List<Action> found(Event.Found found, long now) {
        if (sessionId.isEmpty() && found.remaining() <= 0) {
            reason =
                    "Discord lets a bot log in so often a day, and for this one nothing is left;"
                            + " it waits until Discord counts again.";
            return waiting(Math.max(found.resetMillis(), 1_000), now);
        }
        return open(found.url(), now);
    }

    private List<Action> unreachable(Event.Unreachable failed, long now) {
        reason = failed.reason();
        if (!sessionId.isEmpty()) {
            resumeAddressFailures++;
        }
        failures++;
        return waiting(Math.max(failed.leastMillis(), jitter()), now);
    }

    /** Full jitter: clients that failed together do not come back together. */
    private long jitter() {
        long most = Math.min(waits.mostMillis(), waits.firstMillis() << Math.min(failures - 1, 20));
        return 1 + random.applyAsLong(most);
    }

    private List<Action> waiting(long millis, long now) {
        state = State.BACKOFF;
        waitUntil = now + millis;
        return List.of(new Action.Wait(millis));
    }

    private List<Action> hello(Event.Hello hello, long now) {
        interval = Math.clamp(hello.intervalMillis(), 100, 300_000);
        beatAt = now + random.applyAsLong(interval);
        openedAt = now;
        if (sessionId.isEmpty()) {
            state = State.IDENTIFYING;
            return List.of(new Action.Identify());
        }
        state = State.RESUMING;
        return List.of(new Action.Resume(sessionId));
    }

    private List<Action> ready(Event.Ready ready, long now) {
        sessionId = ready.sessionId();
        resumeUrl = ready.resumeUrl();
        return resumed(now);
    }

    private List<Action> resumed(long now) {
        state = State.READY;
        readyAt = now;
        eventAt = now;
        worked = false;
        resumeAddressFailures = 0;
        reason = "";
        return List.of();
    }

    private List<Action> invalid(Event.Invalid invalid, long now) {
        boolean was = state == State.READY || state == State.RESUMING;
        if (invalid.resumable()) {
            reason = "Discord did not take the session up; it is tried again.";
            failures++;
            return drop(waiting(pause(), now));
        }
        if (was) {
            contended(now);
        }
        reason = "Discord gave the session up; another one is begun.";
        failures++;
        long pause = failures > MOST_QUICK_LOSSES ? Math.max(pause(), jitter()) : pause();
        List<Action> after = forgotten(waiting(pause, now)); // each costs one login of the day
        return drop(after);
    }

    private long pause() {
        return waits.invalidMillis() + random.applyAsLong(4 * waits.invalidMillis());
    }

    private void contended(long now) {
        if (readyAt > 0 && now - readyAt < SOON_MILLIS) {
            losses.addLast(now);
        }
    }

    private List<Action> forgotten(List<Action> then) {
        if (sessionId.isEmpty()) {
            return then;
        }
        sessionId = "";
        resumeUrl = "";
        resumeAddressFailures = 0;
        List<Action> all = new ArrayList<>(List.of(new Action.Forget()));
        all.addAll(then);
        return all;
    }

    private static List<Action> drop(List<Action> then) {
        List<Action> all = new ArrayList<>(List.of(new Action.Drop()));
        all.addAll(then);
        return all;
    }

    private List<Action> closed(Event.Closed closed, long now) {
        reason = CloseCodes.shown(closed.code(), closed.reason());
        if (CloseCodes.isContention(closed.code())) {
            contended(now);
        }
        return switch (CloseCodes.then(closed.code())) {
            case RESUME -> over(now);
            case IDENTIFY -> {
                worked = false; // another login is needed, of which a day has so many
                List<Action> then = over(now);
                yield forgotten(then);
            }
            case FAIL -> {
                reason = reason + " " + CloseCodes.remedy(closed.code());
                yield fail(closed.code());
            }
        };
    }

    private List<Action> fail(int code) {
        state = State.FAILED;
        return drop(List.of(new Action.Fail(code)));
    }

    /** The connection is over; after one that was good another is made at once. */
    private List<Action> over(long now) {
        if (state == State.READY && now - readyAt >= HEALTHY_MILLIS) {
            failures = 0;
        } else if (state == State.READY && worked && now - readyAt >= WORKED_MILLIS) {
            failures /= 2; // it was of use: only what is cut before that is made ever more slowly
        }
        if (state == State.CONNECTING && !sessionId.isEmpty()) {
            resumeAddressFailures++;
        }
        failures++;
        return drop(waiting(state == State.READY && failures == 1 ? 1 : jitter(), now));
    }

    private List<Action> tick(Event.Tick tick, long now) {
        return switch (state) {
            case CONNECTING ->
                    now - openedAt > HELLO_MILLIS ? close("no greeting came", now) : List.of();
            case IDENTIFYING, RESUMING ->
                    now - openedAt > LOGIN_MILLIS && tick.waitingSince() <= now - LOGIN_MILLIS
                            ? close("no session came", now)
                            : beat(tick, now);
            case READY -> {
                if (failures > 0 && now - readyAt >= HEALTHY_MILLIS) {
                    failures = 0;
                }
                if (now - eventAt >= QUIET_MILLIS && tick.waitingSince() <= now) {
                    eventAt = now;
                    yield close("no event came for a while; another connection is tried", now);
                }
                yield beat(tick, now);
            }
            default -> List.of();
        };
    }

    private List<Action> close(String why, long now) {
        openedAt = now; // not again at once
        return List.of(new Action.Close(why));
    }

    private List<Action> beat(Event.Tick tick, long now) {
        if (interval == 0 || now < beatAt) {
            return List.of();
        }
        // What waits to be read may be the answer: only a reader that waited in vain knows.
        boolean silent = unheard > 0 && tick.waitingSince() <= lastBeatAt;
        boolean deaf = unheard >= MOST_UNHEARD && tick.waitingSince() <= now - interval / 2;
        if (silent || deaf) {
            reason = "Discord did not answer a heartbeat.";
            beatAt = now + interval;
            return List.of(new Action.Close("a heartbeat was not answered"));
        }
        lastBeatAt = now;
        beatAt = now + interval;
        unheard++;
        return List.of(new Action.Beat());
    }

    /** Returns when {@link Event.Tick} has to come next, by the clock. */
    synchronized long nextTick(long now) {
        return switch (state) {
            case CONNECTING, IDENTIFYING, RESUMING, READY ->
                    interval == 0 ? now + 1_000 : Math.min(Math.max(beatAt, now), now + 1_000);
            default -> now + 1_000;
        };
    }
}
