package palyra.console.internal.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.approval.ApprovalOption;
import palyra.api.approval.ApprovalOrigin;
import palyra.api.approval.ApprovalOutcome;
import palyra.api.approval.ApprovalPolicy;
import palyra.api.approval.ApprovalPrompt;
import palyra.api.approval.ApprovalScope;
import palyra.api.approval.ApprovalSubject;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.GrantShape;
import palyra.api.approval.RiskLevel;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.console.internal.run.RunPart;

/** The warning is where a run takes the answer too, not on the inbox's page alone. */
class ForeignLettersTest {
    private static final String ID = "01J0000000000000000000000A";

    private static ApprovalPrompt prompt(String details) {
        ApprovalOption allow =
                new ApprovalOption(
                        "allow_once",
                        "Allow",
                        "This call",
                        false,
                        true,
                        ApprovalScope.ONCE,
                        GrantShape.EXACT,
                        0);
        return new ApprovalPrompt(
                "Run it", RiskLevel.HIGH, "tool:x", "rm \u0430", List.of(allow), 60, details, "");
    }

    private static String card(String details) throws Exception {
        ApprovalView approval =
                new ApprovalView(
                        ID,
                        new ApprovalOrigin("", ID, "call", "a", "user:alice", "", ""),
                        ApprovalSubject.TOOL,
                        "tool:x",
                        "run it",
                        prompt(details),
                        new ApprovalPolicy("", "", ""),
                        List.of(),
                        1,
                        List.of(),
                        1,
                        2,
                        0,
                        false,
                        ApprovalOutcome.PENDING);
        RunView run =
                new RunView(ID, ID, "user:alice", "a", "", RunState.AWAITING_APPROVAL, "", 1, 1, 1);
        RunPart part = new RunPart(run, List.of(), false, 0, 1, Map.of(), true, "run", "");
        Assets assets = new Assets();
        Frame frame = new Frame("", "", "n", "c", "user:alice", List.of(), assets, "1", "");
        byte[] page =
                new Pages((viewer, path) -> List.of(), assets, "1")
                        .render(
                                "run/approval.jte",
                                Map.of("frame", frame, "view", part, "approval", approval));
        return new String(page, StandardCharsets.UTF_8);
    }

    @Test
    void aCardInARunWarnsBeforeItsButtons() throws Exception {
        String card = card("{\"call\":{\"executable\":\"/bin/rm\",\"argv\":[\"rm\",\"\u0430\"]}}");
        int warning = card.indexOf("Look closely: the command has U+0430.");
        assertTrue(warning > 0 && warning < card.indexOf("name=\"option\""), card);
        assertFalse(card("{\"executable\":\"/bin/rm\",\"argv\":[\"a\"]}").contains("Look closely"));
    }

    @Test
    void whatItsDetailsDoNotTellItsSummaryDoes() {
        for (String details : List.of("", "no json", "[]", "\"x\"")) {
            assertEquals(
                    "Look closely: the command has U+0430.",
                    ForeignLetters.warning(prompt(details)),
                    details);
        }
    }
}
