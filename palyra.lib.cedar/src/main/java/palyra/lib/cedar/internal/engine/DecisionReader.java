package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarException.Reason;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.Diagnostic.Severity;
import palyra.lib.cedar.internal.text.SourceText;

/** Reads the decision of native code. Any other answer is a failure. */
final class DecisionReader {
    private final Sources sources;
    private final Map<String, Integer> templates;

    DecisionReader(Sources sources, Map<String, Integer> templates) {
        this.sources = sources;
        this.templates = templates;
    }

    CedarDecision read(Map<String, Object> answer) {
        if (!"success".equals(answer.get("type"))) {
            throw failure(answer);
        }
        Map<String, Object> response = NativeCalls.map(answer.get("response"));
        Map<String, Object> diagnostics = NativeCalls.map(response.get("diagnostics"));
        boolean allowed = allowed(response.get("decision"));
        List<String> determining = new ArrayList<>();
        NativeCalls.list(diagnostics.get("reason"))
                .forEach(id -> determining.add(base(NativeCalls.text(id)).policyId()));
        if (allowed && determining.isEmpty()) {
            throw new CedarException(
                    Reason.FAILED, "The Cedar engine allowed a request without naming a policy.");
        }
        determining.sort(Comparator.naturalOrder());
        return new CedarDecision(allowed, determining, errors(diagnostics.get("errors")));
    }

    private static boolean allowed(Object decision) {
        return switch (NativeCalls.text(decision)) {
            case "allow" -> true;
            case "deny" -> false;
            default ->
                    throw new CedarException(
                            Reason.FAILED, "The Cedar engine gave a decision that is not known.");
        };
    }

    /**
     * The messages of refused requests may hold values of the request: only their kind is reported.
     */
    private static CedarException failure(Map<String, Object> answer) {
        String first = "";
        if (answer.get("errors") instanceof List<?> errors
                && !errors.isEmpty()
                && errors.getFirst() instanceof Map<?, ?> error) {
            first = NativeCalls.textOrEmpty(error.get("message"));
        }
        if (first.startsWith("preparsed ")) {
            return new CedarException(
                    Reason.FAILED, "The Cedar engine has lost a policy set that was not closed.");
        }
        return new CedarException(
                Reason.REFUSED,
                "The Cedar engine refused a request for a decision: " + redacted(first));
    }

    /** Keeps of a message what comes before anything that it quotes or explains. */
    static String redacted(String message) {
        int end = 0;
        while (end < message.length() && "`\":'".indexOf(message.charAt(end)) < 0) {
            end++;
        }
        return SourceText.printable(message.substring(0, end)).strip()
                + (end < message.length() ? " …" : "");
    }

    private NativeErrors.Base base(String id) {
        NativeErrors.Base base = sources.base(id, templates);
        if (base == null) {
            throw new CedarException(
                    Reason.FAILED, "The Cedar engine named a policy that is not in the set.");
        }
        return base;
    }

    private List<Diagnostic> errors(Object errors) {
        List<Diagnostic> found = new ArrayList<>();
        for (Object each : NativeCalls.list(errors)) {
            Map<String, Object> entry = NativeCalls.map(each);
            String id = NativeCalls.text(entry.get("policyId"));
            Map<String, Object> error = NativeCalls.map(entry.get("error"));
            NativeErrors.add(
                    found,
                    Severity.ERROR,
                    base(id),
                    error,
                    "error while evaluating policy `" + id + "`: ");
        }
        found.sort(Comparator.comparing(Diagnostic::policyId));
        return found;
    }
}
