package palyra.gateway.internal.approval;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.WorkspaceState;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;

/**
 * The text of an approval request: every fact of the call, exactly, one a line. Words that come
 * from a model or a file are written as JSON strings, so that none can look like a line of its own.
 * Pure.
 */
final class ApprovalText {
    /** What equal means for an approval. */
    static final String EQUAL =
            "same tool, input, program and its digest, working folder, paths, hosts, secrets and"
                    + " sandbox.";

    private static final int MOST_SUMMARY_BYTES = 1_024;
    private static final int MOST_INPUT_CHARS = 16_384;
    private static final long[] UNIT_MILLIS = {86_400_000, 3_600_000, 60_000, 1_000};
    private static final String[] UNITS = {"day", "hour", "minute", "second"};

    private ApprovalText() {}

    /** Returns the call in one line of at most 1,024 bytes. */
    static String line(CallForApproval call) {
        String summary = call.description().summary();
        String line = summary.isEmpty() ? call.tool() + " " + call.inputJson() : summary;
        return cut(line.replaceAll("\\s+", " ").strip());
    }

    /** Returns a text with a full stop at its end. */
    static String sentence(String text) {
        return text.isEmpty() || ".!?".indexOf(text.charAt(text.length() - 1)) >= 0
                ? text
                : text + ".";
    }

    private static String cut(String line) {
        if (line.getBytes(StandardCharsets.UTF_8).length <= MOST_SUMMARY_BYTES) {
            return line;
        }
        int end = Math.min(line.length(), MOST_SUMMARY_BYTES);
        while (line.substring(0, end).getBytes(StandardCharsets.UTF_8).length
                > MOST_SUMMARY_BYTES - 3) {
            end = line.offsetByCodePoints(end, -1);
        }
        return line.substring(0, end) + "…";
    }

    /** Returns what exactly would happen, several lines. */
    static String summary(
            CallOrigin callOrigin,
            CallForApproval call,
            ApprovalTerms terms,
            PolicyDecision policy) {
        StringBuilder text = new StringBuilder();
        text.append("Agent ").append(quoted(callOrigin.agentId()));
        text.append(" asks to call ").append(call.tool());
        text.append(" on behalf of ").append(quoted(callOrigin.principal())).append(".\n");
        if (!call.description().summary().isEmpty()) {
            add(text, "What", quoted(call.description().summary()));
        }
        program(text, call);
        listed(text, "Reads", call.facts().readPaths());
        listed(text, "Writes", call.facts().writePaths());
        listed(text, "Reaches", call.facts().hosts());
        listed(text, "Secrets", call.facts().secrets());
        workspace(text, call);
        if (call.startsProgram()) {
            add(text, "Sandbox", sandbox(call));
        }
        String once = AnswerOptions.onceOnly(call, terms, policy);
        if (!once.isEmpty()) {
            add(text, "Once only", once);
        }
        if (terms.others()) {
            add(text, "Who may answer", "another person than " + quoted(person(callOrigin)));
        }
        add(text, "Input", input(call.inputJson()));
        add(text, "Open for", duration(terms.ttlMillis()) + "; without an answer it is a no");
        return text.toString().strip();
    }

    /** Both are the one who may not answer: a credential, and the name that it speaks for. */
    private static String person(CallOrigin callOrigin) {
        return callOrigin.person().equals(callOrigin.principal())
                ? callOrigin.principal()
                : callOrigin.principal() + ", for whom " + callOrigin.person() + " started the run";
    }

    private static void program(StringBuilder text, CallForApproval call) {
        if (call.facts().executable().isEmpty()) {
            return;
        }
        add(text, "Program", quoted(call.facts().executable()));
        if (!call.facts().executableSha256().isEmpty()) {
            add(text, "Its SHA-256", call.facts().executableSha256());
        }
        if (!call.description().argv().isEmpty()) {
            add(text, "Words", words(call.description().argv()));
        }
        if (!call.facts().workingFolder().isEmpty()) {
            add(text, "Folder", quoted(call.facts().workingFolder()));
        }
    }

    private static void workspace(StringBuilder text, CallForApproval call) {
        WorkspaceState workspace = call.facts().workspace();
        if (!workspace.known()) {
            return;
        }
        add(
                text,
                "Workspace",
                workspace.entries() + " files and folders, state " + workspace.sha256());
        for (String note : call.description().workspaceNotes()) {
            add(text, "Workspace", quoted(note));
        }
    }

    private static String sandbox(CallForApproval call) {
        return "Tier "
                + call.confinement().tier()
                + ", egress "
                + call.confinement().egress().name().toLowerCase(Locale.ROOT);
    }

    private static String input(String inputJson) {
        if (inputJson.length() <= MOST_INPUT_CHARS) {
            return quotedInput(inputJson);
        }
        return quotedInput(inputJson.substring(0, MOST_INPUT_CHARS))
                + "… ("
                + inputJson.length()
                + " characters in all, SHA-256 "
                + Digests.sha256Hex(inputJson)
                + "; the details hold all of it)";
    }

    /** JSON as the model wrote it, but on one line: line breaks between tokens mean nothing. */
    private static String quotedInput(String inputJson) {
        return inputJson.replaceAll("[\\r\\n\\u0085\\u2028\\u2029]+", " ");
    }

    private static void listed(StringBuilder text, String name, Collection<String> values) {
        if (!values.isEmpty()) {
            add(text, name, words(values.stream().sorted().toList()));
        }
    }

    private static void add(StringBuilder text, String name, String value) {
        text.append(name).append(": ").append(value).append('\n');
    }

    private static String words(List<String> words) {
        return words.stream().map(ApprovalText::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return Jcs.text(JsonNodeFactory.instance.textNode(word));
    }

    /** Returns a time in words, in its two largest units. */
    static String duration(long millis) {
        StringBuilder text = new StringBuilder();
        long left = millis;
        int parts = 0;
        for (int i = 0; i < UNITS.length && parts < 2; i++) {
            long count = left / UNIT_MILLIS[i];
            left %= UNIT_MILLIS[i];
            if (count > 0) {
                text.append(parts++ == 0 ? "" : " ");
                text.append(count).append(' ').append(UNITS[i]).append(count == 1 ? "" : "s");
            }
        }
        return parts == 0 ? "less than a second" : text.toString();
    }
}
