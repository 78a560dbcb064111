package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import palyra.api.approval.ApprovalScope;
import palyra.api.core.access.ApprovalTerms;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.policy.Policies.PolicyText;
import palyra.api.core.policy.PolicyProblem;
import palyra.lib.cedar.CedarFile;
import palyra.policy.internal.cedar.Explanation.Outcome;
import palyra.policy.internal.set.Snapshot;

/** The example set for a small team, on top of what is shipped. */
class ExampleSetTest {
    private static final Path EXAMPLE = Path.of("..", "examples", "policies-team");
    private static final List<String> FILES = List.of("budgets", "channels", "team", "tools");

    private static Snapshot set;
    private static List<PolicyText> cases;

    @BeforeAll
    static void compile() throws IOException {
        Map<String, String> files = new TreeMap<>();
        files.put("default/default.cedar", Sets.read("default.cedar"));
        cases = new ArrayList<>();
        for (String name : FILES) {
            files.put(name + ".cedar", read(name + ".cedar"));
            String examples = name + CaseRunner.SUFFIX;
            cases.add(new PolicyText(examples, read(examples)));
        }
        set = Sets.of(files);
    }

    private static String read(String name) throws IOException {
        return Files.readString(EXAMPLE.resolve(name));
    }

    private static List<Snapshot.Origin> own() {
        return set.origins().values().stream()
                .filter(origin -> !origin.file().startsWith("default/"))
                .toList();
    }

    @Test
    void nothingElseLiesInTheFolder() throws IOException {
        Set<String> expected = new TreeSet<>(Set.of("README.md"));
        FILES.forEach(name -> expected.addAll(List.of(name + ".cedar", name + CaseRunner.SUFFIX)));
        try (Stream<Path> files = Files.list(EXAMPLE)) {
            assertEquals(
                    expected,
                    new TreeSet<>(files.map(file -> file.getFileName().toString()).toList()));
        }
    }

    @Test
    void isFormattedAndObligesToNothingThatCannotBeRead() throws IOException {
        for (String name : FILES) {
            CedarFile file = CedarFile.of(name + ".cedar", read(name + ".cedar"));
            assertEquals(read(name + ".cedar"), Sets.CEDAR.format(file, 80, 2).text());
        }
        assertEquals(List.of(), new AnnotationChecks().check(set));
    }

    @Test
    void everyPolicySaysWhatItIsAndWhy() {
        assertEquals(17, own().size());
        for (Snapshot.Origin origin : own()) {
            assertFalse(origin.name().contains("#"), origin.name() + " has no @id");
            assertTrue(origin.text().contains("@reason(\""), origin.name() + " has no @reason");
        }
    }

    @Test
    void keepsItsExamplesAndThoseOfTheShippedPolicies() throws IOException {
        List<PolicyText> all = new ArrayList<>(cases);
        all.add(new PolicyText("default.cases.json", Sets.read("default.cases.json")));

        CaseRunner.Results results = new CaseRunner().run(set, all);

        assertEquals(List.of(), results.problems().stream().map(PolicyProblem::message).toList());
    }

    @Test
    void examplesShowEveryPolicyHoldingAndNotHolding() {
        Map<String, Set<Outcome>> seen = new HashMap<>();
        for (PolicyText file : cases) {
            for (CaseFile.Entry entry : CaseFile.read(file).entries()) {
                set.evaluator()
                        .explain(entry.theCase().request().cedarRequest(set))
                        .entries()
                        .forEach(
                                said ->
                                        seen.computeIfAbsent(
                                                        set.name(said.policy()),
                                                        any -> new HashSet<>())
                                                .add(said.outcome()));
            }
        }
        for (Snapshot.Origin origin : own()) {
            Set<Outcome> outcomes = seen.get(origin.name());
            assertTrue(outcomes.contains(Outcome.SATISFIED), origin.name() + " never holds");
            assertTrue(
                    outcomes.contains(Outcome.CONDITION_FALSE),
                    origin.name() + " holds whenever it is asked");
            assertFalse(outcomes.contains(Outcome.ERROR), origin.name() + " fails");
        }
    }

    @Test
    void programsRunConfinedAndAreApprovedBySomebodyElse() {
        PolicyDecision asked = answer("mara's git asks somebody else");
        ApprovalTerms terms = asked.approval().orElseThrow();
        assertTrue(terms.others());
        assertEquals(3_600_000, terms.ttlMillis());
        assertEquals(Set.of(ApprovalScope.ONCE, ApprovalScope.SESSION), terms.scopes());
        assertEquals(Confinement.STRICTEST, answer("approved, git runs").confinement());
        assertEquals(
                new Confinement(Confinement.Tier.B, Confinement.Egress.PREFLIGHT),
                answer("approved, it runs").confinement());
    }

    @Test
    void deployingTakesTwoOthersOnceAndSoon() {
        ApprovalTerms terms = answer("mara's deployment asks two people").approval().orElseThrow();
        assertEquals(2, terms.quorum());
        assertTrue(terms.others());
        assertEquals(1_800_000, terms.ttlMillis());
        assertEquals(Set.of(ApprovalScope.ONCE), terms.scopes());
        assertEquals(Set.of("group:operator", "group:approver"), terms.approvers());
    }

    private static PolicyDecision answer(String name) {
        PolicyRequest request =
                cases.stream()
                        .flatMap(file -> CaseFile.read(file).entries().stream())
                        .map(CaseFile.Entry::theCase)
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow()
                        .request();
        return Decider.decide(set, request);
    }
}
