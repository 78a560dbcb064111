package palyra.policy.internal.decide;

import java.util.List;
import java.util.Optional;
import palyra.api.core.access.PolicyAnswer;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.policy.internal.set.Snapshot;

/** Decides a recorded policy request again, by any set, on both engines. */
public final class Replay {
    private Replay() {}

    /**
     * What came of it.
     *
     * @param answer the compiled engine's
     * @param difference set when the engines differ in any evaluation
     * @param unheard why the native engine had no say; empty when it had
     */
    public record Outcome(PolicyAnswer answer, Optional<EngineDivergence> difference, String unheard) {}

    /**
     * Replays one policy request; a tool call with and without an approval.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when the evidence is not readable
     */
    public static Outcome run(Snapshot snapshot, NativeEngineCheck check, String evidenceJson) {
        return run(snapshot, check, PolicyRequest.parse(evidenceJson));
    }

    /** As {@link #run(Snapshot, SecondOpinion, String)}, with a policy request that was read already. */
    public static Outcome run(Snapshot snapshot, NativeEngineCheck check, PolicyRequest request) {
        PolicyAnswer answer = Decider.decide(snapshot, request);
        if (!Decider.known(snapshot, request)) {
            return new Outcome(answer, Optional.empty(), "");
        }
        List<PolicyRequest> asked =
                request.aboutTool()
                        ? List.of(request.withApproval(false), request.withApproval(true))
                        : List.of(request);
        for (PolicyRequest each : asked) {
            Optional<CedarDecision> said;
            try {
                said = check.ask(snapshot, each);
            } catch (CedarException e) {
                return new Outcome(answer, Optional.empty(), e.getMessage());
            }
            if (said.isEmpty()) {
                return new Outcome(
                        answer, Optional.empty(), "The native Cedar engine is not there.");
            }
            Optional<EngineDivergence> found =
                    NativeDecisions.difference(snapshot, each, said.get());
            if (found.isPresent()) {
                return new Outcome(answer, found, "");
            }
        }
        return new Outcome(answer, Optional.empty(), "");
    }
}
