package palyra.access.internal;

import palyra.api.Require;
import palyra.api.tape.TapeEvent.Verdict;

/** What a rule engine says to a proposed tool call. */
record ToolRuling(Verdict verdict, String ruleId, String reasonCode, String reason) {
    ToolRuling {
        Require.present(verdict, "verdict");
        Require.text(ruleId, "rule id");
        Require.text(reasonCode, "reason code");
        Require.text(reason, "reason");
    }
}
