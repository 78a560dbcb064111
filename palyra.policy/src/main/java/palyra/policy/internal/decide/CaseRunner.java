package palyra.policy.internal.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.policy.Policies.PolicyText;
import palyra.api.core.policy.PolicyProblem;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.set.Snapshot;

/** Runs the examples that must hold: files {@code *.cases.json}. Stateless. */
public final class CaseRunner {
    /** How the names of such files end. */
    public static final String SUFFIX = ".cases.json";

    /**
     * What became of one case.
     *
     * @param file file name
     * @param name its name, else {@code #n}
     * @param passed whether the answer was as expected
     * @param expected what was expected, in the words of the file
     * @param found what was answered, in the same words
     */
    public record CaseResult(
            String file, String name, boolean passed, String expected, String found) {}

    /**
     * What became of them all.
     *
     * @param results one a case that could be read, in their order
     * @param problems errors only: cases that failed, or could not be read
     */
    public record Results(List<CaseResult> results, List<PolicyProblem> problems) {
        /** Copies. */
        public Results {
            results = List.copyOf(results);
            problems = List.copyOf(problems);
        }

        /** Returns how many were tried. */
        public int run() {
            return results.size();
        }
    }

    private static final int MOST = PolicySetLimits.STANDARD.cases();

    /** Runs all cases of these files; other files are passed over. */
    public Results run(Snapshot snapshot, List<PolicyText> files) {
        List<CaseResult> results = new ArrayList<>();
        List<PolicyProblem> problems = new ArrayList<>();
        for (PolicyText file : files) {
            if (file.name().endsWith(SUFFIX)) {
                CaseFile read = CaseFile.read(file);
                if (results.size() + read.entries().size() > MOST) {
                    read.problem(
                            0,
                            "The set has more than "
                                    + MOST
                                    + " cases up to this file; take some away.");
                    problems.addAll(read.problems());
                    break;
                }
                for (CaseFile.Entry entry : read.entries()) {
                    results.add(run(snapshot, file.name(), read, entry));
                }
                problems.addAll(read.problems());
            }
        }
        return new Results(results, problems);
    }

    private CaseResult run(Snapshot snapshot, String file, CaseFile read, CaseFile.Entry entry) {
        PolicyCase wanted = entry.theCase();
        PolicyDecision answer = Decider.decide(snapshot, wanted.request());
        boolean decided = answer.outcome() == wanted.expected();
        boolean determined =
                wanted.policies() == null
                        || wanted.policies().equals(new TreeSet<>(answer.policyIds()));
        String expected = words(wanted.expected(), wanted.policies());
        String found =
                words(
                        answer.outcome(),
                        wanted.policies() == null ? null : new TreeSet<>(answer.policyIds()));
        boolean confined = wanted.confinedBy(answer.confinement());
        if (!confined) {
            expected += " in tier " + wanted.tier() + " with egress " + wanted.egress();
            found +=
                    " in tier "
                            + PolicyCase.word(answer.confinement().tier())
                            + " with egress "
                            + PolicyCase.word(answer.confinement().egress());
        }
        boolean passed = decided && determined && confined;
        if (!passed) {
            read.problem(
                    entry.at(),
                    "The case \""
                            + wanted.name()
                            + "\" does not hold: expected "
                            + expected
                            + ", found "
                            + found
                            + " ("
                            + answer.reasonCode()
                            + "). "
                            + answer.operatorReason());
        }
        return new CaseResult(file, wanted.name(), passed, expected, found);
    }

    private static String words(PolicyDecision.Outcome outcome, Set<String> policies) {
        String word = PolicyCase.said(outcome);
        if (policies == null) {
            return word;
        }
        return word + " by " + (policies.isEmpty() ? "default" : String.join(", ", policies));
    }
}
