package palyra.sandbox.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Tables of known commands. */
class CommandRowsTest {
    private static final String JQ =
            """
            # jq of the team
            why: jq writes standard output and the row has no option that names a file.
            jq | - | pattern | text_then_files | -r -c | - | --indent | -
            + jq -r .name package.json
            - jq -f program.jq package.json
            """;

    @TempDir Path folder;

    private CommandRows with(String text) throws IOException {
        return CommandRows.with(Files.writeString(folder.resolve("rows.txt"), text));
    }

    private void refused(String text, String part) {
        PalyraException thrown = assertThrows(PalyraException.class, () -> with(text));
        assertEquals(ErrorCode.INVALID_ARGUMENT, thrown.code());
        assertTrue(thrown.getMessage().contains(part), thrown.getMessage());
    }

    @Test
    void everyShippedRowHasAReasonAndExamplesThatHold() {
        assertTrue(CommandRows.SHIPPED.size() >= 50, CommandRows.SHIPPED.size() + " rows");
    }

    @Test
    void aFileAddsRowsAndTheShippedOnesStay() throws IOException {
        assertFalse(CommandRows.SHIPPED.of("jq", "jq", "").isPresent());
        CommandRows rows = with(JQ);
        assertTrue(rows.of("jq", "jq", "").isPresent());
        assertFalse(rows.of("jq", "other", "").isPresent(), "another file is another program");
        assertTrue(rows.of("cat", "cat", "").isPresent());
        assertEquals(CommandRows.SHIPPED.size() + 1, rows.size());
    }

    @Test
    void theExampleOfTheOperatorGuideIsTakenAsItStands() throws IOException {
        String guide = Files.readString(Path.of("../docs/operator-guide.md"));
        String example = guide.substring(guide.indexOf("\nwhy: jq"));
        CommandRows rows = with(example.substring(0, example.indexOf("```")));
        assertEquals(CommandRows.SHIPPED.size() + 1, rows.size());
    }

    @Test
    void theOperatorGuideExplainsEachKindOfRow() throws IOException {
        String guide = Files.readString(Path.of("../docs/operator-guide.md"));
        Stream.concat(Stream.of(CommandRow.Grade.values()), Stream.of(CommandRow.Operands.values()))
                .map(kind -> "`" + kind.name().toLowerCase(Locale.ROOT) + "`")
                .forEach(word -> assertTrue(guide.contains(word), word));
    }

    @Test
    void anExampleThatDoesNotHoldIsRefusedWithItsLine() {
        refused(
                JQ.replace("+ jq -r", "+ jq -x"),
                "line 4: 'jq -x .name package.json' is not matched");
        refused(JQ.replace("- jq -f program.jq", "- jq -c"), "line 5");
        refused(JQ.replace("+ jq", "+ ls"), "line 4");
    }

    @Test
    void aRowWithoutReasonOrExamplesIsRefused() {
        refused(JQ.replace("why:", "# why:"), "line 3: a row needs a line 'why:");
        refused(JQ.replace("- jq", "# jq"), "needs an example of what it matches");
        refused(JQ.replace("+ jq", "# jq"), "needs an example of what it matches");
        refused(JQ.replace("| pattern", ""), "it has 7 fields");
        refused(JQ.replace("pattern", "always"), "line 3");
        refused("+ jq x\n", "an example follows its row");
    }

    @Test
    void aSecondRowForAShippedCommandIsRefused() {
        String second =
                """
                why: it is mine.
                cat | - | pattern | files | -n -x | - | - | -
                + cat -x a
                - cat -y a
                """;
        refused(second, "has a second row for cat");
    }

    @Test
    void aFileThatIsMissingRelativeOrTooLargeIsRefused() throws IOException {
        assertThrows(PalyraException.class, () -> CommandRows.with(folder.resolve("none")));
        assertThrows(PalyraException.class, () -> CommandRows.with(Path.of("rows.txt")));
        Path large = Files.write(folder.resolve("large"), new byte[(1 << 20) + 1]);
        assertThrows(PalyraException.class, () -> CommandRows.with(large));
    }
}
