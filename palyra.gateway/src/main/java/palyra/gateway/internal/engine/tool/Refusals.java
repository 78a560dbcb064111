package palyra.gateway.internal.engine.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.fold.Call;
import palyra.shared.json.StrictJson;
import palyra.shared.secrets.Placeholder;

/** Denials by the engine itself, before or after it asks policy. Pure. */
final class Refusals {
    /** A call was allowed by a person, and policy does not allow it any more. */
    static final String POLICY_CHANGED = "policy_changed";

    /** Why a call with a placeholder is not made. */
    static final String WITH_PLACEHOLDER =
            "The input contains the placeholder of a secret, which has no value in a call. Have the"
                    + " secret stored in the vault, and name it there, such as vault:global/NAME.";

    private static final String ENGINE = "ENGINE";
    private static final String NO_SNAPSHOT = "{}";

    private Refusals() {}

    static ToolPolicyDecision deny(String code, String reason) {
        return new ToolPolicyDecision(Verdict.DENY, code, reason, ENGINE, List.of(), NO_SNAPSHOT);
    }

    /** Returns an answer turned into a denial; its evidence is kept. */
    static ToolPolicyDecision instead(ToolPolicyDecision answer, String code, String reason) {
        return new ToolPolicyDecision(
                Verdict.DENY,
                code,
                reason,
                answer.source(),
                answer.policyIds(),
                answer.snapshotJson(),
                answer.policy());
    }

    /** Returns why input is refused because of its form; empty when it is accepted. */
    static Optional<ToolPolicyDecision> ofInput(Call call, ToolDescriptor descriptor) {
        String input = call.proposal().inputJson();
        if (descriptor != null
                && input.getBytes(StandardCharsets.UTF_8).length > descriptor.maxInputBytes()) {
            return Optional.of(
                    deny(
                            "quota.tool_input_too_large",
                            "The input of "
                                    + call.proposal().tool()
                                    + " is larger than its "
                                    + descriptor.maxInputBytes()
                                    + " bytes; send less."));
        }
        if (Placeholder.isIn(input)) {
            return Optional.of(deny("tool.input_placeholder", WITH_PLACEHOLDER));
        }
        try {
            JsonNode node = StrictJson.parse(input, "the input of " + call.proposal().tool());
            return node.isObject()
                    ? Optional.empty()
                    : Optional.of(
                            deny(
                                    "tool.input_invalid",
                                    "The input is not a JSON object; send an object."));
        } catch (PalyraException e) {
            return Optional.of(deny("tool.input_invalid", e.getMessage()));
        }
    }
}
