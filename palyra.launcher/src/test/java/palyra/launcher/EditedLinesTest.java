package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jline.reader.LineReader;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The editor, on a terminal that the test makes. */
@Timeout(60)
class EditedLinesTest {
    @TempDir Path state;

    private final List<List<String>> asked = new ArrayList<>();

    private List<String> typed(int lines, String keys, String... candidates) throws Exception {
        List<String> read = new ArrayList<>();
        try (Terminal terminal =
                new ExternalTerminal(
                        "test",
                        "xterm",
                        new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)),
                        new ByteArrayOutputStream(),
                        StandardCharsets.UTF_8)) {
            LineReader reader =
                    EditedLines.reader(
                            terminal,
                            HistoryFile.in(state),
                            words -> {
                                asked.add(words);
                                return List.of(candidates);
                            });
            for (int i = 0; i < lines; i++) {
                read.add(reader.readLine(Lines.SIGN));
            }
        }
        return read;
    }

    @Test
    void takesEveryLineAsItIsTyped() throws Exception {
        List<String> lines = List.of("ask \"hello there! what?\"", "ask 'open", "a\\", "!1 * ~ $x");
        assertEquals(lines, typed(4, String.join("\r", lines) + "\r"));
    }

    @Test
    void completesTheWordAtTheCursor() throws Exception {
        assertEquals(List.of("tape verify last"), typed(1, "tape ver\tlast\r", "verify"));
        assertEquals(List.of(List.of("tape", "ver")), asked);
    }

    @Test
    void completesAWordThatNeedsQuotesToOneWord() throws Exception {
        List<String> lines = typed(1, "run show 'two w\t\r", "two words|x");
        assertEquals(
                List.of(List.of("run", "show", "two words|x")), ShellWords.split(lines.get(0)));
    }

    @Test
    void asksForWhatMayFollowABar() throws Exception {
        assertEquals(List.of("runs | grep x"), typed(1, "runs | gr\tx\r", "grep"));
        assertEquals(List.of(List.of("|", "gr")), asked);
    }

    @Test
    void keepsTheHistoryButNoLineThatBeginsWithABlank() throws Exception {
        typed(3, "status\r ask secret\rruns\r");
        Path history = state.resolve("history");
        String kept = Files.readString(history);
        assertTrue(kept.contains(":status\n"), kept);
        assertTrue(kept.contains(":runs\n"), kept);
        assertFalse(kept.contains("secret"), kept);
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(history)));
        assertEquals(List.of("runs"), typed(1, "\u0010\r"), "the next prompt knows it");
    }

    @Test
    void takesLinesThoughTheHistoryIsDamaged() throws Exception {
        Files.writeString(HistoryFile.in(state), "damaged\nx:y\n17:status\n");
        assertEquals(List.of("runs"), typed(1, "runs\r"));
    }

    @Test
    void aTerminalOfAnUnknownKindIsNotEditedOn() {
        try (TypedInput input = new TypedInput(new ByteArrayInputStream(new byte[0]))) {
            assertTrue(
                    EditedLines.open(input, "no-such-terminal", null, words -> List.of())
                            .isEmpty());
        }
    }
}
