package palyra.skills.internal.run;

import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmResult;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.skills.internal.model.SkillQuotas;

/** Maps the ending of a call to its outcome and to a sentence for the model. */
public final class CallEndings {
    private CallEndings() {}

    /** Returns whether the module came to its own end. */
    public static boolean ownEnd(WasmEnding ending) {
        return ending == WasmEnding.RETURNED || ending == WasmEnding.EXITED;
    }

    /** Returns the outcome of a call that did not come to its own end. */
    public static Outcome outcome(WasmEnding ending) {
        return switch (ending) {
            case DEADLINE -> Outcome.TIMED_OUT;
            case CANCELLED -> Outcome.CANCELLED;
            case ENGINE_STOPPED, ENGINE_FAILED -> Outcome.INTERRUPTED;
            default -> Outcome.FAILED;
        };
    }

    /** Returns one sentence or two for the model about a call that did not come to its own end. */
    public static String sentence(
            String tool, WasmResult result, SkillQuotas quotas, boolean effects) {
        String what =
                switch (result.ending()) {
                    case OUT_OF_FUEL ->
                            "used up its fuel of "
                                    + quotas.fuel()
                                    + "; ask for less work, or raise quotas.fuel_budget of the"
                                    + " skill.";
                    case CALL_DEPTH -> "nested its calls too deeply; ask for less at once.";
                    case DEADLINE ->
                            "was stopped after "
                                    + quotas.timeoutMillis()
                                    + " ms; ask for less work, or raise quotas.wall_clock_timeout_ms"
                                    + " of the skill.";
                    case CANCELLED -> "was stopped.";
                    case TRAPPED -> "trapped.";
                    case LINK -> "cannot be linked on this gateway: one of its imports is missing.";
                    case REFUSED -> "was refused by the engine.";
                    case OUT_OF_MEMORY ->
                            "ran out of memory; try again later, or ask for less work.";
                    case HOST_FAILED -> "was ended by a failure of the gateway.";
                    case ENGINE_STOPPED -> "was interrupted because its engine was replaced.";
                    case ENGINE_FAILED -> "was interrupted because its engine failed.";
                    default -> "ended in a way that is not known (" + result.ending() + ").";
                };
        String interrupted =
                outcome(result.ending()) == Outcome.INTERRUPTED && effects
                        ? " It had begun to change something outside."
                        : "";
        String detail = result.detail().isEmpty() ? "" : " " + result.detail();
        return "The skill's tool " + tool + " " + what + interrupted + detail;
    }
}
