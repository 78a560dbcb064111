package palyra.policy.internal.decide;

import java.util.Objects;

/**
 * The two engines said different things about one policy request.
 *
 * @param evidenceJson the policy request, its approval flag as it was evaluated
 * @param setSha256 digest of the policy set
 * @param compiled what the compiled engine said, for people: decision and policies
 * @param nativeEngine what the native engine said, in the same form
 */
public record EngineDivergence(
        String evidenceJson, String setSha256, String compiled, String nativeEngine) {
    /** Checks. */
    public EngineDivergence {
        Objects.requireNonNull(evidenceJson, "evidence");
        Objects.requireNonNull(setSha256, "digest");
        Objects.requireNonNull(compiled, "compiled");
        Objects.requireNonNull(nativeEngine, "nativeEngine");
    }

    /** Returns one sentence for operators. */
    public String sentence() {
        return "The compiled engine said '"
                + compiled
                + "' and the native engine '"
                + nativeEngine
                + "' for the same policy request.";
    }
}
