package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import palyra.api.access.Principal;
import palyra.api.core.access.AccessRequest;

/**
 * The fixed rules written out. {@code palyra.policy} tests its default policies against the same
 * file, so neither can change alone.
 */
class RulesTableTest {
    private static final String FILE = "built-in-rules.txt";
    private static final Path WRITTEN = Path.of("target", FILE);
    private static final List<String> GROUPS =
            List.of("operator", "approver", "integrator", "viewer");
    private static final String ME = "user:me";
    private static final List<String> OWNERS = List.of(ME, "user:else", "");

    private static final BuiltInRules RULES = new BuiltInRules();

    @Test
    void theTableSaysWhatTheRulesSay() throws IOException {
        String table = table();
        Files.createDirectories(WRITTEN.getParent());
        Files.writeString(WRITTEN, table);

        try (InputStream committed = RulesTableTest.class.getResourceAsStream(FILE)) {
            assertEquals(
                    new String(committed.readAllBytes(), StandardCharsets.UTF_8),
                    table,
                    "The rules changed. If that is meant, copy "
                            + WRITTEN
                            + " over the file in src/test/resources and change default.cedar of"
                            + " palyra.dist alike.");
        }
    }

    /** So a line for each group is enough. */
    @Test
    void whoIsInSeveralGroupsMayDoWhatAnyOfThemMay() {
        for (String action : new TreeSet<>(Actions.named())) {
            for (int mask = 0; mask < 1 << GROUPS.size(); mask++) {
                Set<String> groups = new TreeSet<>();
                StringBuilder any = new StringBuilder(answers(action, Set.of()));
                for (int i = 0; i < GROUPS.size(); i++) {
                    if ((mask >> i & 1) == 1) {
                        groups.add(GROUPS.get(i));
                        merge(any, answers(action, Set.of(GROUPS.get(i))));
                    }
                }
                assertEquals(any.toString(), answers(action, groups), action + " " + groups);
            }
        }
    }

    private static void merge(StringBuilder any, String more) {
        for (int i = 0; i < more.length(); i++) {
            if (more.charAt(i) == 'A') {
                any.setCharAt(i, 'A');
            }
        }
    }

    private static String table() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "# What the fixed rules say: action, group, then Allow or Deny for what is one's");
        lines.add(
                "# own, somebody else's and nobody's, each with no scopes, the action as a scope,");
        lines.add(
                "# its beginning with * as a scope, and * as a scope. Read by two modules' tests.");
        for (String action : new TreeSet<>(Actions.named())) {
            lines.add(action + " - " + answers(action, Set.of()));
            for (String group : GROUPS) {
                lines.add(action + " " + group + " " + answers(action, Set.of(group)));
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static String answers(String action, Set<String> groups) {
        StringBuilder answers = new StringBuilder();
        for (String owner : OWNERS) {
            for (Set<String> scopes : scopes(action)) {
                Principal who =
                        People.scoped(
                                People.person("me", groups.toArray(new String[0])),
                                scopes.toArray(new String[0]));
                AccessDecision decision =
                        RULES.decide(new AccessRequest(who, action, "", owner, Map.of()));
                answers.append(decision instanceof AccessDecision.Allow ? 'A' : 'D');
            }
        }
        return answers.toString();
    }

    private static List<Set<String>> scopes(String action) {
        String beginning = action.substring(0, action.indexOf('.') + 1);
        return List.of(Set.of(), Set.of(action), Set.of(beginning + "*"), Set.of("*"));
    }
}
