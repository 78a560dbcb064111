package palyra.shell.internal.approvals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.PalyraException;
import palyra.api.approval.ApprovalView;
import palyra.shared.json.StrictJson;
import palyra.shared.secrets.Placeholder;
import palyra.shared.text.EscapedText;

/**
 * The details of an approval request. A request without details, or with another form, has no
 * values here; its summary is still readable. Pure.
 */
final class ApprovalDetails {
    private final JsonNode root;
    private final JsonNode call;

    private ApprovalDetails(JsonNode root) {
        this.root = root;
        this.call = root.path("call").isObject() ? root.path("call") : root;
    }

    static ApprovalDetails of(ApprovalView view) {
        String json = view.prompt().detailsJson();
        try {
            return new ApprovalDetails(
                    StrictJson.parse(json.isEmpty() ? "{}" : json, "the details"));
        } catch (PalyraException e) {
            return new ApprovalDetails(StrictJson.parse("{}", "nothing"));
        }
    }

    /** Returns the details as they are, for programs. */
    JsonNode json() {
        return root;
    }

    /** Returns why the call may be allowed once only; empty when it may for longer. */
    String onceOnly() {
        return call.path("onceOnly").asText("");
    }

    /** Returns whether a user other than the one behind the call has to answer. */
    boolean others() {
        return root.path("terms").path("others").asBoolean();
    }

    /** Returns the credential that started the run; empty when unknown. */
    String person() {
        return root.path("origin").path("person").asText("");
    }

    /** Returns what will run, one fact per line, escaped. */
    Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        text(facts, "program", "executable");
        words(facts, "arguments", "argv", " ");
        text(facts, "programDigest", "executableSha256");
        text(facts, "folder", "workingFolder");
        words(facts, "hosts", "hosts", ", ");
        words(facts, "reads", "readPaths", ", ");
        words(facts, "writes", "writePaths", ", ");
        words(facts, "secrets", "secrets", ", ");
        String tier = call.path("tier").asText("");
        if (!tier.isEmpty()) {
            facts.put("sandbox", "tier " + tier + ", egress " + call.path("egress").asText(""));
        }
        if (!onceOnly().isEmpty()) {
            facts.put("onceOnly", EscapedText.line(onceOnly()));
        }
        String foreign =
                EscapedText.foreign(
                        Placeholder.without(call.path("executable").asText("") + words("argv")));
        if (!foreign.isEmpty()) {
            facts.put("notAscii", "look closely, the command has " + foreign);
        }
        return facts;
    }

    private void text(Map<String, Object> facts, String name, String member) {
        String text = call.path(member).asText("");
        if (!text.isEmpty()) {
            facts.put(name, EscapedText.word(text));
        }
    }

    private void words(Map<String, Object> facts, String name, String member, String between) {
        List<String> words = new ArrayList<>();
        call.path(member).forEach(each -> words.add(EscapedText.word(each.asText(""))));
        if (!words.isEmpty()) {
            facts.put(name, String.join(between, words));
        }
    }

    private String words(String member) {
        StringBuilder all = new StringBuilder();
        call.path(member).forEach(each -> all.append(each.asText("")));
        return all.toString();
    }
}
