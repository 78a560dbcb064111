package palyra.gateway.internal.engine.tool;

import java.util.List;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.approval.CoveringGrant;
import palyra.shared.fold.Call;
import palyra.shared.tool.DecisionRecord;
import palyra.shared.tool.FactsDigest;

/** Turns decisions into tape records. Pure functions. */
final class DecisionRecords {
    private DecisionRecords() {}

    /** Digest of the facts of a call that says nothing about the world outside. */
    private static final String NO_FACTS = FactsDigest.of(CallFacts.none());

    /** Returns the digest of facts for the tape; empty without facts. */
    static String recorded(CallFacts facts) {
        return facts.equals(CallFacts.none()) ? "" : FactsDigest.of(facts);
    }

    /** Returns the digest that an executor has to find again; never empty. */
    static String factsSha256(TapeEvent.ToolDecision decision) {
        return decision == null || decision.factsSha256().isEmpty()
                ? NO_FACTS
                : decision.factsSha256();
    }

    /** Returns where a call must run; the strictest there is when the decision does not say. */
    static Confinement confinement(TapeEvent.ToolDecision decision) {
        if (decision == null || decision.tier().isEmpty() || decision.egress().isEmpty()) {
            return Confinement.STRICTEST;
        }
        try {
            return new Confinement(
                    Confinement.Tier.valueOf(decision.tier()),
                    Confinement.Egress.valueOf(decision.egress()));
        } catch (IllegalArgumentException e) {
            return Confinement.STRICTEST; // written by an engine that knows others
        }
    }

    /**
     * Returns the record of a decision.
     *
     * @param snapshotSha256 digest of the snapshot that goes with the answer
     */
    static TapeEvent.ToolDecision event(Call call, CallDecision decided, String snapshotSha256) {
        return DecisionRecord.of(
                call.callId(),
                call.proposal().tool(),
                decided.answer(),
                snapshotSha256,
                decided.factsSha256(),
                decided.cover().map(CoveringGrant::grantId).orElse(""),
                decided.cover().map(CoveringGrant::approvedBy).orElse(List.of()));
    }
}
