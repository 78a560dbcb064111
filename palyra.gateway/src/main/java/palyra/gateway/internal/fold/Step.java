package palyra.gateway.internal.fold;

import java.util.List;
import palyra.shared.fold.Call;

/** The next step of a run. It follows from the tape alone. */
public sealed interface Step {
    /** The run waits for its session or for room. */
    record Begin() implements Step {}

    /**
     * Ask the model. {@code restart} says why the attempt before was lost; empty for a first
     * attempt.
     */
    record AskModel(int turn, int attempt, String restart) implements Step {}

    /** Decide these calls, in order: proposed ones, and ones that a person said yes to. */
    record Decide(List<Call> calls) implements Step {}

    /** Start this call, decided and never started. */
    record Start(Call call) implements Step {}

    /** Find out what became of these calls, started and without an output. */
    record Recover(List<Call> calls) implements Step {}

    /** Tell the model about a call that was refused by a person. */
    record Refuse(Call call) implements Step {}

    /** Nothing is left to do but to wait for people: say so on the tape. */
    record AwaitPeople() implements Step {}

    /** The run waits for approvals, none of which is answered. */
    record Waiting() implements Step {}

    /** A person answered while the run waited: say on the tape that it goes on. */
    record Resume() implements Step {}

    /** The last turn proposed nothing: its text is the answer. */
    record Answer(String text) implements Step {}

    /** The tape holds a record that this engine does not know. */
    record Park(String recordType) implements Step {}

    /** The run has ended. */
    record Done() implements Step {}
}
