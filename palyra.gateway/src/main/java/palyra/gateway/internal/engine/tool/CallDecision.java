package palyra.gateway.internal.engine.tool;

import java.util.Optional;
import palyra.api.core.access.ToolAnswer;
import palyra.gateway.internal.approval.CoveringGrant;
import palyra.shared.approval.Question;

/**
 * What was decided about a call.
 *
 * @param factsSha256 digest of what the call would do; empty when there is nothing
 * @param cover the grant under which it is allowed; empty when nobody had to be asked, or it is not
 * @param question what people are asked; present exactly when they are
 * @param reminderMillis how long before the question's end people are reminded
 */
record CallDecision(
        ToolAnswer answer,
        String factsSha256,
        Optional<CoveringGrant> cover,
        Optional<Question> question,
        long reminderMillis) {
    static CallDecision of(ToolAnswer answer, String factsSha256) {
        return new CallDecision(answer, factsSha256, Optional.empty(), Optional.empty(), 0);
    }

    static CallDecision under(CoveringGrant cover, ToolAnswer answer, String factsSha256) {
        return new CallDecision(answer, factsSha256, Optional.of(cover), Optional.empty(), 0);
    }

    static CallDecision asking(
            Question question, ToolAnswer answer, String factsSha256, long reminderMillis) {
        return new CallDecision(
                answer, factsSha256, Optional.empty(), Optional.of(question), reminderMillis);
    }
}
