package palyra.gateway.internal.engine.tool;

import palyra.api.core.access.CallFacts;
import palyra.api.core.tools.CallDescription;

/**
 * What a call would do.
 *
 * @param known whether its executor said so; a tool that is away says nothing, and is held to that
 */
record ExaminedCall(CallFacts facts, CallDescription description, boolean known) {
    /** Nobody was there to say. */
    static final ExaminedCall UNKNOWN =
            new ExaminedCall(CallFacts.none(), CallDescription.none(), false);

    /** Returns what the tape says of the facts: their digest, or nothing when there are none. */
    String factsSha256() {
        return DecisionRecords.recorded(facts);
    }
}
