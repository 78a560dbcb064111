package palyra.transport.openai.internal;

import palyra.api.ErrorCode;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.journal.Journal;
import palyra.api.run.Runs;
import palyra.shared.gate.Gate;

/**
 * What requests call, each of which may be replaced at any moment. Calls are short, never nested.
 */
public record Seams(
        Gate<Runs> runs, Gate<AgentRegistry> agents, Gate<Access> access, Gate<Journal> journal) {
    private static final long WAIT_MILLIS = 5_000;

    /** Returns gates without services. */
    public static Seams empty() {
        return new Seams(
                new Gate<>("The front", ErrorCode.GATEWAY_UNAVAILABLE, WAIT_MILLIS),
                new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, WAIT_MILLIS),
                new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, WAIT_MILLIS),
                new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, WAIT_MILLIS));
    }
}
