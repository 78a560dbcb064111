package palyra.transport.grpc.internal;

import java.util.function.BooleanSupplier;
import palyra.api.ErrorCode;
import palyra.api.approval.Approvals;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.MessageRules;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.vault.Vault;
import palyra.api.run.Runs;
import palyra.shared.gate.Gate;
import palyra.transport.grpc.internal.call.OpenStreams;

/**
 * What the services call, each of which may be replaced at any moment. GateCalls are short and
 * never nest.
 *
 * @param ready whether the gateway is ready, as {@code /readyz} says; may take 4 seconds
 * @param streams where long streams are registered while they are open
 */
public record Seams(
        Gate<Runs> runs,
        Gate<AgentRegistry> agents,
        Gate<Access> access,
        Gate<TapeVerifier> verifier,
        Gate<Journal> journal,
        Gate<Approvals> approvals,
        Gate<Vault> vault,
        Gate<MessageRules> rules,
        BooleanSupplier ready,
        OpenStreams streams) {
    private static final long WAIT_MILLIS = 5_000;

    /** Returns gates without services. */
    public static Seams empty(BooleanSupplier ready) {
        return new Seams(
                new Gate<>("The front", ErrorCode.GATEWAY_UNAVAILABLE, WAIT_MILLIS),
                new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, WAIT_MILLIS),
                new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, WAIT_MILLIS),
                new Gate<>("The verifier", ErrorCode.JOURNAL_UNAVAILABLE, WAIT_MILLIS),
                new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, WAIT_MILLIS),
                new Gate<>("The front", ErrorCode.GATEWAY_UNAVAILABLE, WAIT_MILLIS),
                new Gate<>("The vault", ErrorCode.KEYS_UNAVAILABLE, WAIT_MILLIS),
                new Gate<>("The router of channels", ErrorCode.GATEWAY_UNAVAILABLE, WAIT_MILLIS),
                ready,
                new OpenStreams());
    }
}
