package palyra.policy.internal.decide;

import java.util.List;
import java.util.Optional;
import palyra.api.core.access.PolicyAnswer;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.policy.internal.set.Snapshot;

/** Decides a recorded question again, by any set, on both engines. */
public final class Replay {
    private Replay() {}

    /**
     * What came of it.
     *
     * @param answer the compiled engine's
     * @param difference set when the engines differ in any evaluation
     * @param unheard why the native engine had no say; empty when it had
     */
    public record Outcome(PolicyAnswer answer, Optional<Difference> difference, String unheard) {}

    /**
     * Replays one question; a tool call with and without an approval.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when the evidence is not readable
     */
    public static Outcome run(Snapshot snapshot, NativeEngineCheck check, String evidenceJson) {
        return run(snapshot, check, Question.parse(evidenceJson));
    }

    /** As {@link #run(Snapshot, SecondOpinion, String)}, with a question that was read already. */
    public static Outcome run(Snapshot snapshot, NativeEngineCheck check, Question question) {
        PolicyAnswer answer = new Decider().decide(snapshot, question);
        if (!Deliberation.known(snapshot, question)) {
            return new Outcome(answer, Optional.empty(), "");
        }
        List<Question> asked =
                question.aboutTool()
                        ? List.of(question.withApproval(false), question.withApproval(true))
                        : List.of(question);
        for (Question each : asked) {
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
            Optional<Difference> found =
                    Natively.difference(
                            snapshot,
                            each,
                            snapshot.evaluator().decide(each.request(snapshot)),
                            said.get());
            if (found.isPresent()) {
                return new Outcome(answer, found, "");
            }
        }
        return new Outcome(answer, Optional.empty(), "");
    }
}
