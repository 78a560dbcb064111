package palyra.sandbox.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everyday commands whose arguments only look as if they led outside. None is refused, and what
 * they look like is told to policies and approvers.
 */
class HarmlessLooksTest {
    @TempDir Path temp;
    private GuardFixture fixture;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new GuardFixture(temp);
    }

    static Stream<Arguments> commands() {
        return Stream.of(
                        "a URL in a script|bash -c <curl -s https://example.com/x>|!eval",
                        "a folder for temporary files in a script|bash -c <X=/tmp/o; echo $X>|!eval",
                        "what a script throws away|bash -c <X=/dev/null 2>&1; make>|!eval",
                        "a variable that is a path|make X=/tmp/o|!outside",
                        "a search path|bash -c <PATH=/opt/x/bin:$PATH make>|!outside",
                        "a search path for env|env PATH=/opt/x/bin make|!outside",
                        "a pattern that begins with a slash|git grep /api/v1|!outside",
                        "a folder for temporary files|ls /tmp|!outside",
                        "a substitution|sed s/a/b/|",
                        "a single slash|echo /|",
                        "the beginning of a URL|grep -r http:// .|",
                        "a route of a web application|node server.js --mount=/api|!outside",
                        "the folder of a home|python3 -c <open('~/x')>|!eval",
                        "the folder above|git diff -- ../other|!outside")
                .map(row -> row.split("\\|", -1))
                .map(row -> Arguments.of(row[0], words(row[1]), row[2]));
    }

    /** Splits at spaces that are not in angle brackets. */
    private static List<String> words(String line) {
        int quoted = line.indexOf('<');
        List<String> plain =
                List.of((quoted < 0 ? line : line.substring(0, quoted)).strip().split(" "));
        return quoted < 0
                ? plain
                : Stream.concat(
                                plain.stream(),
                                Stream.of(line.substring(quoted + 1, line.length() - 1)))
                        .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    void isNotRefused(String why, List<String> line, String flag) throws Exception {
        fixture.program(line.get(0));
        String[] arguments = line.subList(1, line.size()).toArray(String[]::new);
        ResolvedCommand command =
                GuardFixture.found(
                        new CommandGuard(fixture.settings(true))
                                .examine(
                                        new CommandRequest(
                                                line.get(0),
                                                Arrays.asList(arguments),
                                                "",
                                                Set.of()),
                                        fixture.workspace));
        assertEquals(
                List.of(arguments), command.argv().subList(1, command.argv().size()), "unchanged");
        if (flag.isEmpty()) {
            assertEquals(List.of(), command.concerns());
        } else {
            assertTrue(command.facts().flags().contains(flag), command.facts().toString());
        }
        assertTrue(
                command.concerns().stream()
                        .allMatch(concern -> concern.kind() == Concern.Kind.OUTSIDE),
                command.concerns().toString());
    }

    @Test
    void aUrlInAScriptIsAFactAboutHosts() throws Exception {
        ResolvedCommand command =
                GuardFixture.found(fixture.examine("bash", "-c", "https://example.com/x"));
        assertEquals(Set.of("example.com"), command.facts().hosts());
    }

    @Test
    void manyPathsAreBoundedAndSaidToBe() throws Exception {
        String[] many = new String[1_020];
        for (int i = 0; i < many.length; i++) {
            many[i] = "dir/f" + i;
        }
        ResolvedCommand command = GuardFixture.found(fixture.examine("cat", many));
        assertEquals(1_000, command.facts().readPaths().size());
        assertTrue(command.facts().flags().contains("!unclear"));
        assertEquals(1, command.concerns().size());
    }
}
