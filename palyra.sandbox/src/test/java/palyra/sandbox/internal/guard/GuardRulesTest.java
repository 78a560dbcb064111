package palyra.sandbox.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.CallFacts;
import palyra.sandbox.internal.guard.GuardRule.Column;

/** Every example of the shipped rules, and tables that are refused. */
class GuardRulesTest {
    private static final String ARROW = " -> ";
    private static final String RULE =
            "cat tac | role: reads\n+ cat f -> reads f\n- x -> reads f\n";

    @TempDir static Path temp;
    private static GuardFixture fixture;
    private static CommandGuard strict;
    private static CommandGuard loose;

    @BeforeAll
    static void makeGuards() throws IOException {
        fixture = new GuardFixture(temp);
        HostPrograms host = new HostPrograms();
        strict = new CommandGuard(fixture.settings(false), host);
        loose = new CommandGuard(fixture.settings(true), host);
        for (TableRow row : rows()) {
            for (TableRow.Example example : row.examples()) {
                for (String call : calls(row, example)) {
                    fixture.program(call.split(" ")[0]);
                }
            }
        }
    }

    private static List<TableRow> rows() {
        return TableRow.shipped(GuardRule.class, "guard-rules.txt");
    }

    private static GuardRule rule(TableRow row) {
        return GuardRule.read(List.of(row)).getFirst();
    }

    /** Returns the commands that an example is for. */
    private static List<String> calls(TableRow row, TableRow.Example example) {
        GuardRule rule = rule(row);
        String first = row.text().split(" ")[0] + " ";
        return rule.names().stream()
                .flatMap(
                        name ->
                                withWords(rule, example.text().split(ARROW)[0])
                                        .map(call -> call.replace("{}", name))
                                        .map(
                                                call ->
                                                        call.startsWith(first)
                                                                ? name
                                                                        + call.substring(
                                                                                first.length() - 1)
                                                                : call))
                .distinct()
                .toList();
    }

    private static Stream<String> withWords(GuardRule rule, String call) {
        return Stream.of(Column.values())
                .filter(column -> call.contains("{" + column + "}"))
                .findFirst()
                .map(c -> rule.words(c).stream().map(word -> call.replace("{" + c + "}", word)))
                .orElse(Stream.of(call));
    }

    static Stream<Arguments> examples() {
        return rows().stream()
                .flatMap(
                        row ->
                                row.examples().stream()
                                        .map(
                                                example ->
                                                        Arguments.of(
                                                                row,
                                                                Named.of(
                                                                        example.line()
                                                                                + ": "
                                                                                + example.text(),
                                                                        example))));
    }

    @ParameterizedTest(name = "line {1}")
    @MethodSource("examples")
    void everyExampleHolds(TableRow row, TableRow.Example example) {
        List<String> calls = calls(row, example);
        String effect = example.text().split(ARROW)[1];
        assertFalse(calls.isEmpty(), example.text());
        for (String call : calls) {
            Set<String> effects = effects(List.of(call.split(" ")));
            assertEquals(
                    example.matches(),
                    effects.contains(effect),
                    () -> "line " + example.line() + ", " + call + " has " + effects);
        }
    }

    private static Set<String> effects(List<String> argv) {
        CommandRequest request =
                new CommandRequest(argv.getFirst(), argv.subList(1, argv.size()), "", Set.of());
        Set<String> effects = new TreeSet<>();
        switch (strict.examine(request, fixture.workspace)) {
            case GuardVerdict.Refused refused -> effects.add(refused.reasonCode());
            case GuardVerdict.Accepted accepted ->
                    accepted.command().concerns().forEach(one -> effects.add(one.reasonCode()));
        }
        if (loose.examine(request, fixture.workspace) instanceof GuardVerdict.Accepted accepted
                && accepted.command().concerns().isEmpty()) {
            CallFacts facts = accepted.command().facts();
            effects.add("accepted");
            effects.add("subcommand " + facts.subcommand());
            facts.flags().forEach(flag -> effects.add(flag.replaceFirst("!", "")));
            facts.hosts().forEach(host -> effects.add("host " + host));
            facts.ports().forEach(port -> effects.add("port " + port));
            facts.readPaths().forEach(path -> effects.add("reads " + inWorkspace(path)));
            facts.writePaths().forEach(path -> effects.add("writes " + inWorkspace(path)));
        }
        return effects;
    }

    private static String inWorkspace(String path) {
        return fixture.workspace.relativize(Path.of(path)).toString();
    }

    @Test
    void everyNameOfARowIsInAnExampleThatMatches() {
        for (TableRow row : rows()) {
            Set<String> names = rule(row).names();
            assertTrue(
                    names.equals(GuardRule.ANY)
                            || row.examples().stream()
                                    .filter(TableRow.Example::matches)
                                    .anyMatch(e -> calls(row, e).size() >= names.size()),
                    row.text());
        }
    }

    private static void refused(String text, String part) {
        PalyraException thrown =
                assertThrows(
                        PalyraException.class,
                        () -> GuardRule.read(TableRow.read(text, "rules.txt")));
        assertEquals(ErrorCode.INVALID_ARGUMENT, thrown.code());
        assertTrue(thrown.getMessage().contains(part), thrown.getMessage());
    }

    @Test
    void tableThatIsUnclearIsRefusedWithItsLine() {
        assertEquals(
                Set.of("cat", "tac"),
                GuardRule.read(TableRow.read(RULE, "rules.txt")).getFirst().names());
        refused(RULE.replace("role", "roll"), "rules.txt, line 1: no column is 'roll'");
        refused(RULE.replace("reads\n", "eats\n"), "line 1: role cannot be 'eats'");
        refused(RULE + RULE.replace("cat tac", "x cat"), "line 4: cat has role twice");
        refused(RULE.replace("reads\n", "reads | role: reads\n"), "has role twice");
        refused(RULE.replace("cat tac", "cat cat"), "line 1");
        refused(RULE.replace("- x", "# x"), "line 1: the row needs an example");
        refused(RULE.replace("+ cat", "# cat"), "line 1: the row needs an example");
        refused("+ cat f -> reads f\n", "line 1: an example follows its row");
    }
}
