package palyra.shell.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandSpec;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;

class ArgumentParserTest {
    private static final CommandSpec COPY =
            new CommandSpec(
                    "file copy",
                    "Copies.",
                    "",
                    List.of(
                            OptionSpec.flag("force", "Overwrite"),
                            OptionSpec.value("limit", "N", "How many bytes"),
                            OptionSpec.choice("mode", "MODE", "How", List.of("fast", "safe")),
                            new OptionSpec("tag", "TAG", "A tag", List.of(), true)),
                    List.of(
                            PositionalSpec.required("FROM", "Where from"),
                            PositionalSpec.optional("TO", "Where to")),
                    "extension.command",
                    false);
    private static final CommandSpec SAY =
            new CommandSpec(
                    "say",
                    "Says.",
                    "",
                    List.of(),
                    List.of(PositionalSpec.rest("TEXT", "What to say")),
                    "extension.command",
                    false);

    private static ParsedLine parse(String... words) {
        return ArgumentParser.parse(COPY, List.of(words));
    }

    @Test
    void takesValuesInBothForms() {
        assertEquals("5", parse("a", "--limit", "5").arguments().option("limit").orElseThrow());
        assertEquals("5", parse("a", "--limit=5").arguments().option("limit").orElseThrow());
        assertEquals("", parse("a", "--limit=").arguments().option("limit").orElseThrow());
        assertEquals("--x", parse("a", "--limit=--x").arguments().option("limit").orElseThrow());
        assertEquals("-3", parse("a", "--limit", "-3").arguments().option("limit").orElseThrow());
    }

    @Test
    void takesOptionsAnywhereAndArgumentsInOrder() {
        ParsedLine line = parse("--force", "a", "--mode", "safe", "b", "--json");
        assertTrue(line.arguments().flag("force"));
        assertTrue(line.json());
        assertEquals(List.of("a", "b"), line.arguments().positionals());
    }

    @Test
    void endsOptionsAtTwoDashes() {
        ParsedLine line = parse("--", "--force", "--json");
        assertEquals(List.of("--force", "--json"), line.arguments().positionals());
        assertFalse(line.arguments().flag("force"));
        assertFalse(line.json());
    }

    @Test
    void keepsEachArgumentWhole() {
        ParsedLine line = ArgumentParser.parse(SAY, List.of("a b", "", "c;d", "-"));
        assertEquals(List.of("a b", "", "c;d", "-"), line.arguments().positionals());
    }

    @Test
    void collectsRepeatedValues() {
        assertEquals(
                List.of("x", "y"),
                parse("a", "--tag", "x", "--tag=y").arguments().options().get("tag"));
    }

    @Test
    void asksNothingMoreWhenHelpIsWanted() {
        assertTrue(parse("--help").help());
        assertTrue(parse("-h").help());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a --forse | --force?",
                "a --zzz | --limit",
                "a --limit | needs a value after --limit",
                "a --limit --force | --limit=--force",
                "a --force=yes | takes no value for --force",
                "a --json=1 | takes no value for --json",
                "a --mode quick | fast or safe",
                "a --mode fsat | did you mean fast?",
                "a --limit 1 --limit 2 | twice",
                "a b c | at most 2",
                "--force | needs FROM",
                "a -x | two dashes",
                "a --=x | option --",
            })
    void refusesWithASentenceThatHelps(String words, String expected) {
        PalyraException refused =
                assertThrows(PalyraException.class, () -> parse(words.trim().split(" ")));
        assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
        assertTrue(refused.getMessage().startsWith("palyra file copy "), refused.getMessage());
        assertTrue(refused.getMessage().contains(expected), refused.getMessage());
        assertEquals(1, refused.getMessage().lines().count());
    }

    @Test
    void needsAtLeastOneWordForTheRest() {
        assertThrows(PalyraException.class, () -> ArgumentParser.parse(SAY, List.of()));
    }
}
