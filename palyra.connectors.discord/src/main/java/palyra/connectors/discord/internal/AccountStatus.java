package palyra.connectors.discord.internal;

import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.ConnectorStatus.State;

/** How an account is doing: its shards together, with what holds for all of them. Thread-safe. */
final class AccountStatus {
    private static final class Part {
        private State state = State.CONNECTING;
        private String reason = "";
        private long nextAttemptAtMillis;
        private boolean contended;
    }

    private static final String CONTENDED =
            "Sessions of this bot end again and again just after they begin: another program seems"
                    + " to use its token.";
    private static final String FOREIGN =
            "Another gateway answers as this bot, so people may get two answers.";
    private static final String REMEDY =
            " It may be one that was restored from a backup. Stop it, or take a new token with"
                    + " Reset Token on the page Bot of the Developer Portal.";

    private static final long FOREIGN_MILLIS = 10 * 60_000;

    private final InstantSource clock;
    private Part[] parts = new Part[0]; // guarded by this, as all
    private final Map<String, String> troubles = new TreeMap<>(); // by their source
    private String behind = "";
    private long foreignMillis; // when another gateway answered last; 0 for never
    private long lastEventAtMillis;
    private ConnectorStatus told = ConnectorStatus.of(State.STOPPED, "");

    AccountStatus() {
        this(InstantSource.system());
    }

    AccountStatus(InstantSource clock) {
        this.clock = clock;
    }

    synchronized void begin(int shards) {
        parts = new Part[shards];
        for (int i = 0; i < shards; i++) {
            parts[i] = new Part();
        }
        troubles.clear();
        behind = "";
        foreignMillis = 0;
        tell();
    }

    synchronized void stop() {
        parts = new Part[0];
        troubles.clear();
        behind = "";
        tell();
    }

    /** Takes note of a shard; a state of one that is no more is left. */
    synchronized void set(int shard, State state, String reason, long nextAttemptAtMillis) {
        if (shard < parts.length) {
            Part part = parts[shard];
            part.state = state;
            part.reason = state == State.READY ? "" : reason;
            part.nextAttemptAtMillis = nextAttemptAtMillis;
            tell();
        }
    }

    /**
     * Takes note of what is wrong although the connection is there.
     *
     * @param source which part of the account finds it so: it alone takes it back
     * @param what empty for nothing
     */
    synchronized void trouble(String source, String what) {
        if (parts.length > 0 && !troubles.getOrDefault(source, "").equals(what)) {
            troubles.put(source, what);
            tell();
        }
    }

    /** Takes note of why known conversations lack messages, and take none; empty for nothing. */
    synchronized void behind(String why) {
        if (parts.length > 0 && !behind.equals(why)) {
            behind = why;
            tell();
        }
    }

    /** Takes note of whether sessions are lost as when two programs use one token. */
    synchronized void contended(int shard, boolean is) {
        if (shard < parts.length && parts[shard].contended != is) {
            parts[shard].contended = is;
            tell();
        }
    }

    /** Takes note that another gateway answers as this bot, which counts for ten minutes. */
    synchronized void foreign() {
        foreignMillis = clock.millis();
        tell();
    }

    /** Takes note that Discord was heard. */
    synchronized void heard() {
        lastEventAtMillis = clock.millis();
    }

    /** Returns whether a shard was ready before, so that it is made again rather than made. */
    synchronized State lost(int shard) {
        State now = shard < parts.length ? parts[shard].state : State.CONNECTING;
        return now == State.CONNECTING ? State.CONNECTING : State.RECONNECTING;
    }

    private void tell() {
        Part worst = worst();
        State state = worst == null ? State.STOPPED : worst.state;
        String reason = worst == null ? "" : worst.reason;
        String wrong = wrong();
        if (state == State.READY && !wrong.isEmpty()) {
            state = State.DEGRADED;
            reason = wrong;
        } else if (parts.length > 1 && state != State.READY && anyReady()) {
            state = State.DEGRADED;
            reason = "Not all shards are connected. " + reason;
        }
        long since =
                state == told.state() && told.sinceMillis() > 0
                        ? told.sinceMillis()
                        : clock.millis();
        told =
                new ConnectorStatus(
                        state, since, reason, worst == null ? 0 : worst.nextAttemptAtMillis, 0);
    }

    /** Returns all that is wrong although the connection is there, each once. */
    private String wrong() {
        Set<String> all = new LinkedHashSet<>(troubles.values());
        all.add(behind);
        if (isForeign() || isContended()) {
            all.add((isForeign() ? FOREIGN : CONTENDED) + REMEDY);
        }
        all.remove("");
        return String.join(" ", all);
    }

    private boolean isForeign() {
        return foreignMillis > 0 && clock.millis() - foreignMillis < FOREIGN_MILLIS;
    }

    private boolean isContended() {
        for (Part part : parts) {
            if (part.contended) {
                return true;
            }
        }
        return false;
    }

    private boolean anyReady() {
        for (Part part : parts) {
            if (part.state == State.READY) {
                return true;
            }
        }
        return false;
    }

    /** The states of a connector are in their order: later ones are worse. */
    private Part worst() {
        Part worst = null;
        for (Part part : parts) {
            if (worst == null || rank(part.state) > rank(worst.state)) {
                worst = part;
            }
        }
        return worst;
    }

    private static int rank(State state) {
        return switch (state) {
            case READY -> 0;
            case DEGRADED -> 1;
            case CONNECTING -> 2;
            case RECONNECTING -> 3;
            case FAILED -> 4;
            case STOPPED -> 5;
        };
    }

    synchronized ConnectorStatus now() {
        if (foreignMillis > 0 && !isForeign()) {
            foreignMillis = 0;
            tell();
        }
        return new ConnectorStatus(
                told.state(),
                told.sinceMillis(),
                told.reason(),
                told.nextAttemptAtMillis(),
                lastEventAtMillis);
    }
}
