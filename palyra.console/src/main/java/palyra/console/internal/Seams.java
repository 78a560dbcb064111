package palyra.console.internal;

import palyra.api.ErrorCode;
import palyra.api.approval.Approvals;
import palyra.api.core.access.Access;
import palyra.api.core.access.Accounts;
import palyra.api.core.command.CommandRunner;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.policy.Policies;
import palyra.api.run.Runs;
import palyra.shared.gate.Gate;

/** What the pages call, each of which may be replaced at any moment. Leases are short. */
public record Seams(
        Gate<Access> access,
        Gate<Accounts> accounts,
        Gate<Runs> runs,
        Gate<Approvals> approvals,
        Gate<AgentRegistry> agents,
        Gate<TapeVerifier> verifier,
        Gate<LiveFeed> feed,
        Gate<CommandRunner> commands,
        Gate<Policies> policies) {
    private static final long WAIT_MILLIS = 2_000;

    /** Returns gates without services. */
    public static Seams empty() {
        return new Seams(
                gate("Access control", ErrorCode.POLICY_UNAVAILABLE),
                gate("Access control", ErrorCode.POLICY_UNAVAILABLE),
                gate("The front", ErrorCode.GATEWAY_UNAVAILABLE),
                gate("The front", ErrorCode.GATEWAY_UNAVAILABLE),
                gate("The gateway", ErrorCode.GATEWAY_UNAVAILABLE),
                gate("The verifier", ErrorCode.JOURNAL_UNAVAILABLE),
                gate("The journal", ErrorCode.JOURNAL_UNAVAILABLE),
                gate("The shell", ErrorCode.GATEWAY_UNAVAILABLE),
                gate("The policy bundle", ErrorCode.POLICY_UNAVAILABLE));
    }

    private static <T> Gate<T> gate(String name, ErrorCode whenAbsent) {
        return new Gate<>(name, whenAbsent, WAIT_MILLIS);
    }
}
