package palyra.policy.internal.decide;

import java.util.List;
import java.util.Optional;
import palyra.api.core.access.PolicyDecision;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.policy.internal.set.Snapshot;

/** Decides a recorded policy request again, by any set, on both engines. */
public final class Replay {
    private Replay() {}

    /**
     * The result of a replay.
     *
     * @param answer the compiled engine's
     * @param difference set when the engines differ in any evaluation
     * @param unconfirmed why the native engine gave no decision; empty when it gave one
     */
    public record Outcome(
            PolicyDecision answer, Optional<EngineDivergence> difference, String unconfirmed) {}

    /**
     * Replays one policy request; a tool call with and without an approval.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when the evidence is not readable
     */
    public static Outcome run(Snapshot snapshot, NativeEngineCheck check, String evidenceJson) {
        return run(snapshot, check, PolicyRequest.parse(evidenceJson));
    }

    /**
     * As {@link #run(Snapshot, NativeEngineCheck, String)}, with a policy request that was read
     * already.
     */
    public static Outcome run(Snapshot snapshot, NativeEngineCheck check, PolicyRequest request) {
        PolicyDecision answer = Decider.decide(snapshot, request);
        if (!Decider.known(snapshot, request)) {
            return new Outcome(answer, Optional.empty(), "");
        }
        List<PolicyRequest> requests =
                request.isToolCall()
                        ? List.of(request.withApproval(false), request.withApproval(true))
                        : List.of(request);
        for (PolicyRequest each : requests) {
            Optional<CedarDecision> decided;
            try {
                decided = check.ask(snapshot, each);
            } catch (CedarException e) {
                return new Outcome(answer, Optional.empty(), e.getMessage());
            }
            if (decided.isEmpty()) {
                return new Outcome(answer, Optional.empty(), "The native Cedar engine is absent.");
            }
            Optional<EngineDivergence> found =
                    NativeDecisions.difference(snapshot, each, decided.get());
            if (found.isPresent()) {
                return new Outcome(answer, found, "");
            }
        }
        return new Outcome(answer, Optional.empty(), "");
    }
}
