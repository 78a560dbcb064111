package palyra.api.approval;

import java.util.List;
import palyra.api.Require;

/**
 * A question as a person is shown it.
 *
 * @param title one line
 * @param subjectId what it is about, such as {@code tool:palyra.process.run}
 * @param summary what exactly would happen, several lines of plain text
 * @param options ways to answer; a surface may offer fewer
 * @param timeoutSeconds how long the question was open for when it was asked
 * @param detailsJson the same for programs, a JSON object as text
 * @param policyExplanation why policy asks
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
