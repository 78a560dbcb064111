package palyra.policy.internal.set;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import palyra.api.core.policy.PolicyProblem;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.CompiledPolicy;
import palyra.lib.cedar.Diagnostic;

/** Takes single shipped policies out of their files; everything else keeps its place. */
final class DisabledDefaults {
    private DisabledDefaults() {}

    /**
     * Returns the changed texts by file name.
     *
     * @param problems is added to
     * @throws palyra.lib.cedar.CedarException when the native engine gives no verdict
     */
    static SortedMap<String, String> apply(
            Cedar cedar, SourceSet source, List<PolicyProblem> problems) {
        SortedMap<String, String> changed = new TreeMap<>();
        if (source.switchedOff().isEmpty()) {
            return changed;
        }
        Compilation parsed = cedar.compile(CompileRequest.of(source.shippedPolicies()));
        parsed.diagnostics().stream()
                .filter(Diagnostic::isError)
                .map(PolicyProblems::of)
                .forEach(problems::add);
        SortedSet<String> missing = new TreeSet<>(source.switchedOff());
        List<CompiledPolicy> going = new ArrayList<>();
        for (CompiledPolicy policy : parsed.policies()) {
            if (source.switchedOff().contains(policy.name())) {
                missing.remove(policy.name());
                going.add(policy);
            }
        }
        going.sort(Comparator.comparingInt(CompiledPolicy::line).reversed());
        going.forEach(policy -> blank(source, policy, changed, problems));
        if (parsed.ok()) {
            missing.forEach(
                    id ->
                            problems.add(
                                    PolicyProblems.warning(
                                            "",
                                            "There is no shipped policy '"
                                                    + id
                                                    + "' to switch off.",
                                            "Correct disabledDefaults in the configuration"
                                                    + " palyra.policy.")));
        }
        return changed;
    }

    private static void blank(
            SourceSet source,
            CompiledPolicy policy,
            SortedMap<String, String> changed,
            List<PolicyProblem> problems) {
        String text =
                changed.computeIfAbsent(
                        policy.file(),
                        name -> new String(source.files().get(name), StandardCharsets.UTF_8));
        int from = offset(text, policy.line(), policy.column());
        int to = from + policy.text().length();
        if (from < 0 || !text.startsWith(policy.text(), from)) {
            problems.add(
                    PolicyProblems.errorAt(
                            policy.file(),
                            policy.line(),
                            policy.column(),
                            "The policy '" + policy.name() + "' could not be switched off.",
                            "Put each policy on lines of its own."));
            return;
        }
        String blank = policy.text().replaceAll("[^\\r\\n]", " ");
        changed.put(policy.file(), text.substring(0, from) + blank + text.substring(to));
    }

    /** Returns the offset of a place in a text; -1 when the text has no such place. */
    static int offset(String text, int line, int column) {
        int at = 0;
        for (int skipped = 1; skipped < line; skipped++) {
            while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
                at++;
            }
            boolean pair = text.startsWith("\r\n", at);
            at += pair ? 2 : 1;
            if (at > text.length()) {
                return -1;
            }
        }
        int columns = column - 1;
        return text.codePointCount(at, text.length()) < columns
                ? -1
                : text.offsetByCodePoints(at, columns);
    }
}
