package palyra.shared.wasm;

import java.util.List;

/** The limits of a compilation that can be checked without compiling. */
final class CompileSizeLimits {
    private final AdmissionLimits limits;
    private final Reasons reasons;

    CompileSizeLimits(AdmissionLimits limits, Reasons reasons) {
        this.limits = limits;
        this.reasons = reasons;
    }

    /** Checks what the bodies have; {@code first} is the index of the first one's function. */
    void check(int first, List<BodyFacts> bodies) {
        long blocks = 0;
        long locals = 0;
        for (int i = 0; i < bodies.size(); i++) {
            BodyFacts body = bodies.get(i);
            blocks += body.blocks();
            locals += body.locals();
            if (body.blocks() > limits.functionBlocks()) {
                reasons.limit(
                        "function_blocks",
                        "function "
                                + (first + i)
                                + " has "
                                + body.blocks()
                                + " blocks, at most "
                                + limits.functionBlocks()
                                + " are admitted");
            }
        }
        atMost("blocks", "blocks in all functions together", blocks, limits.blocks());
        atMost("all_locals", "locals in all functions together", locals, limits.allLocals());
    }

    /** Returns whether the metered module may be as large as it is. */
    boolean metered(int bytes) {
        return atMost("metered", "bytes once it is metered", bytes, limits.meteredBytes());
    }

    private boolean atMost(String code, String what, long count, long most) {
        if (count > most) {
            reasons.add(Decoder.tooMany(code, what, count, most));
        }
        return count <= most;
    }
}
