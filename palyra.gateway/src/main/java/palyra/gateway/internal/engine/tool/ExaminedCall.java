package palyra.gateway.internal.engine.tool;

import palyra.api.core.access.CallFacts;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.ToolExamination;
import palyra.shared.fold.Call;
import palyra.shared.tool.FactsDigest;

/**
 * The effects of a proposed call, as its executor found them.
 *
 * @param known whether its executor reported them; an absent tool reports nothing, and its call is
 *     held to that
 */
record ExaminedCall(Call call, CallFacts facts, CallDescription description, boolean known) {
    static ExaminedCall of(Call call, ToolExamination.Facts found) {
        return new ExaminedCall(call, found.facts(), found.description(), true);
    }

    /** The executor was absent. */
    static ExaminedCall unknown(Call call) {
        return new ExaminedCall(call, CallFacts.none(), CallDescription.none(), false);
    }

    /** Returns the digest of the facts for the tape; empty without facts. */
    String factsSha256() {
        return facts.equals(CallFacts.none()) ? "" : FactsDigest.of(facts);
    }
}
