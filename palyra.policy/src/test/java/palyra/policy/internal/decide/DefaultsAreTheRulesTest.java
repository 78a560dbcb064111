package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.PolicyDecision.Outcome;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.set.Snapshot;

/** The shipped policies mean what the fixed rules of {@code palyra.access} mean. */
class DefaultsAreTheRulesTest {
    /** Written and checked by the tests of palyra.access. */
    private static final Path TABLE =
            Path.of(
                    "..",
                    "palyra.access",
                    "src/test/resources/palyra/access/internal/built-in-rules.txt");

    private static final List<String> OWNERS = List.of(Asks.ME, "user:else", "");

    /** Here the policies permit what the rules, which know no such thing, leave to operators. */
    private static final Set<String> BEYOND = Set.of("skills", "vault", "messaging");

    private final Snapshot shipped = Sets.shipped();

    @Test
    void theyAgreeOnEveryLineOfTheTable() throws IOException {
        int lines = 0;
        for (String line : Files.readAllLines(TABLE)) {
            if (!line.startsWith("#")) {
                String[] words = line.split(" ");
                Set<String> groups = words[1].equals("-") ? Set.of() : Set.of(words[1]);
                for (PrincipalKind kind : PrincipalKind.values()) {
                    assertEquals(words[2], answers(words[0], kind, groups), line + " " + kind);
                }
                lines++;
            }
        }
        assertTrue(lines >= 5 * 48, "only " + lines + " lines");
    }

    @Test
    void whoIsInSeveralGroupsMayDoWhatAnyOfThemMay() throws IOException {
        List<String> groups = List.of("operator", "approver", "integrator", "viewer");
        for (String action : tableActions()) {
            for (int mask = 0; mask < 16; mask++) {
                Set<String> several = new TreeSet<>();
                StringBuilder any = new StringBuilder("D".repeat(12));
                for (int i = 0; i < groups.size(); i++) {
                    if ((mask >> i & 1) == 1) {
                        several.add(groups.get(i));
                        String one = answers(action, PrincipalKind.USER, Set.of(groups.get(i)));
                        for (int j = 0; j < one.length(); j++) {
                            any.setCharAt(j, one.charAt(j) == 'A' ? 'A' : any.charAt(j));
                        }
                    }
                }
                assertEquals(
                        any.toString(),
                        answers(action, PrincipalKind.USER, several),
                        action + " " + several);
            }
        }
    }

    @Test
    void everyActionOfTheRulesIsInTheSchema() throws IOException {
        for (String action : tableActions()) {
            assertTrue(shipped.schema().isAction(EntityUid.of("Action", action)), action);
        }
    }

    @Test
    void actionsThatTheRulesDoNotKnowAreForOperators() throws IOException {
        Set<String> known = tableActions();
        int others = 0;
        for (Entity each : shipped.schema().actionEntities()) {
            String action = each.uid().id();
            if (action.indexOf('.') < 0
                    || known.contains(action)
                    || action.equals("tool.execute")
                    || action.equals("network.connect") // belongs to a call: see its cases
                    || each.parents().stream().anyMatch(group -> BEYOND.contains(group.id()))) {
                continue;
            }
            others++;
            assertEquals("A".repeat(12), answers(action, PrincipalKind.USER, Set.of("operator")));
            for (String group : List.of("approver", "integrator", "viewer")) {
                assertEquals("D".repeat(12), answers(action, PrincipalKind.USER, Set.of(group)));
            }
        }
        assertTrue(others > 0, "nothing was looked at");
    }

    /** The other side of the fixed rules: tools, without an approval and without a membership. */
    @Test
    void withoutAGroupOnlyTheToolsOfTheRulesRun() {
        assertEquals(Outcome.ALLOW, call("palyra.echo"));
        assertEquals(Outcome.ALLOW, call("palyra.sleep"));
        assertEquals(Outcome.DENY, call("palyra.test.append"));
        assertEquals(Outcome.DENY, call("palyra.other"));
    }

    private Outcome call(String tool) {
        return Decider.decide(shipped, PolicyRequest.of(Asks.call(Asks.tool(tool)))).outcome();
    }

    private static Set<String> tableActions() throws IOException {
        try (Stream<String> lines = Files.lines(TABLE)) {
            return new TreeSet<>(
                    lines.filter(line -> !line.startsWith("#")).map(l -> l.split(" ")[0]).toList());
        }
    }

    private String answers(String action, PrincipalKind kind, Set<String> groups) {
        StringBuilder answers = new StringBuilder();
        for (String owner : OWNERS) {
            for (Set<String> scopes : scopes(action)) {
                Principal who = new Principal(Asks.ME, kind, groups, scopes, "token:1");
                AccessRequest request = new AccessRequest(who, action, "", owner, Map.of());
                PolicyDecision answer = Decider.decide(shipped, PolicyRequest.of(request));
                answers.append(answer.outcome() == Outcome.ALLOW ? 'A' : 'D');
            }
        }
        return answers.toString();
    }

    private static List<Set<String>> scopes(String action) {
        String beginning = action.substring(0, action.indexOf('.') + 1);
        return List.of(Set.of(), Set.of(action), Set.of(beginning + "*"), Set.of("*"));
    }
}
