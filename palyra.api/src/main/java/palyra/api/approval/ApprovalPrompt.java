package palyra.api.approval;

import java.util.List;
import palyra.api.Require;

/**
 * An approval request as users see it.
 *
 * @param title one line
 * @param subjectId the subject, such as {@code tool:palyra.process.run}
 * @param summary the exact effect, several lines of plain text
 * @param options the options; a surface may offer fewer
 * @param timeoutSeconds validity of the request when it was created
 * @param detailsJson the same as a JSON object in text form
 * @param policyExplanation why policy requires approval
 */
public record ApprovalPrompt(
        String title,
        RiskLevel risk,
        String subjectId,
        String summary,
        List<ApprovalOption> options,
        int timeoutSeconds,
        String detailsJson,
        String policyExplanation) {
    /** Checks and copies. */
    public ApprovalPrompt {
        Require.text(title, "title");
        Require.present(risk, "risk level");
        subjectId = Require.orEmpty(subjectId);
        summary = Require.orEmpty(summary);
        options = List.copyOf(options);
        detailsJson = Require.orEmpty(detailsJson);
        policyExplanation = Require.orEmpty(policyExplanation);
    }
}
