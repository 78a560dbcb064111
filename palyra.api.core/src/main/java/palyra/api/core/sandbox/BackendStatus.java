package palyra.api.core.sandbox;

import java.util.Map;
import java.util.TreeMap;
import palyra.api.Require;

/**
 * What a backend knows about itself.
 *
 * @param state whether it may be used
 * @param cause one sentence, why it may not be used; empty when READY
 * @param remedy one sentence, what an operator does about it; empty when there is nothing to do
 * @param facts what the host has, such as {@code bwrap=0.8.0}, {@code landlock=7}, {@code
 *     cgroup=v1(memory,pids)}; sorted
 * @param fingerprint digest over everything whose change asks for new canaries: versions, digests
 *     of helper programs and filters, kernel features
 */
public record BackendStatus(
        State state, String cause, String remedy, Map<String, String> facts, String fingerprint) {
    /** Whether a backend may be used. */
    public enum State {
        /** It has not looked yet. */
        PROBING,
        /** It works, as far as it knows itself; canaries have the last word. */
        READY,
        /** It refuses everything. */
        REFUSING
    }

    /** Checks and copies. */
    public BackendStatus {
        Require.present(state, "state of a backend");
        cause = Require.orEmpty(cause);
        remedy = Require.orEmpty(remedy);
        Require.that(
                (state == State.READY) == cause.isEmpty(),
                "a backend that is " + state + " has the cause '" + cause + "'");
        facts = java.util.Collections.unmodifiableMap(new TreeMap<>(facts));
        fingerprint = Require.orEmpty(fingerprint);
    }

    /** Returns that it works. */
    public static BackendStatus ready(Map<String, String> facts, String fingerprint) {
        return new BackendStatus(State.READY, "", "", facts, fingerprint);
    }

    /** Returns that it refuses. */
    public static BackendStatus refusing(String cause, String remedy, Map<String, String> facts) {
        return new BackendStatus(State.REFUSING, cause, remedy, facts, "");
    }

    /** Returns that it has not looked yet. */
    public static BackendStatus probing() {
        return new BackendStatus(
                State.PROBING, "It has not finished looking at this host.", "", Map.of(), "");
    }
}
