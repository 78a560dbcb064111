package palyra.gateway.internal.engine.tool;

import palyra.api.core.access.CallFacts;
import palyra.api.core.tools.CallDescription;

/**
 * The effects of a proposed call, as its executor found them.
 *
 * @param known whether its executor reported them; an absent tool reports nothing, and its call is
 *     held to that
 */
record ExaminedCall(CallFacts facts, CallDescription description, boolean known) {
    /** The executor was absent. */
    static final ExaminedCall UNKNOWN =
            new ExaminedCall(CallFacts.none(), CallDescription.none(), false);

    /** Returns the digest of the facts for the tape; empty without facts. */
    String factsSha256() {
        return DecisionRecords.recorded(facts);
    }
}
