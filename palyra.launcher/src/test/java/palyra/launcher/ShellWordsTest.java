package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordsTest {
    private static List<String> words(String line) {
        List<List<String>> stages = ShellWords.split(line);
        assertEquals(1, stages.size(), stages.toString());
        return stages.get(0);
    }

    @Test
    void splitsAtBlanks() {
        assertEquals(List.of("tape", "show", "01J"), words("  tape\tshow  01J \n"));
        assertEquals(List.of(), ShellWords.split(" \r\n"));
    }

    @Test
    void keepsQuotedTextAndEmptyWords() {
        assertEquals(List.of("ask", "a  b", ""), words("ask 'a  b' \"\""));
        assertEquals(List.of("ab c'd"), words("a'b c'\"'\"d"));
        assertEquals(List.of("say \"hi\" \\ \\n"), words("\"say \\\"hi\\\" \\\\ \\n\""));
    }

    @Test
    void takesABackslashLiterallyOnlyInQuotes() {
        assertEquals(List.of("a b", "\\x"), words("a\\ b '\\x'"));
    }

    @Test
    void expandsNothing() {
        assertEquals(
                List.of("$HOME", "*", "`id`", "$(id)", ";", "!x"),
                words("$HOME * `id` $(id) ; !x"));
    }

    @Test
    void endsAStageAtABarThatIsNotQuoted() {
        assertEquals(
                List.of(List.of("runs"), List.of("grep", "a|b"), List.of("grep", "|", "c|d")),
                ShellWords.split("runs|grep 'a|b' | grep \\| \"c|d\""));
        assertEquals(List.of(List.of("runs"), List.of()), ShellWords.split("runs |"));
        assertEquals(List.of(List.of(), List.of("grep")), ShellWords.split("| grep"));
    }

    @Test
    void knowsTheWordThatIsBeingTyped() {
        assertEquals(
                new ShellWords.Typed(0, List.of("tape"), "ver", 5), ShellWords.typed("tape ver"));
        assertEquals(new ShellWords.Typed(0, List.of("tape"), "", 5), ShellWords.typed("tape "));
        assertEquals(
                new ShellWords.Typed(0, List.of("ask"), "two w", 4),
                ShellWords.typed("ask 'two w"));
        assertEquals(
                new ShellWords.Typed(0, List.of("ask"), "a b", 4), ShellWords.typed("ask a\\ b"));
        assertEquals(new ShellWords.Typed(1, List.of(), "gr", 7), ShellWords.typed("runs | gr"));
        assertEquals(new ShellWords.Typed(0, List.of(), "", 0), ShellWords.typed(""));
    }

    @Test
    void whatIsTypeableIsOneWord() {
        for (String text : List.of("plain", "a b", "it's \"so\"", "a\\b", "x|y", "t\tn\n")) {
            assertEquals(List.of(text), words(ShellWords.typeable(text)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ask 'open", "ask \"open", "ask \"open\\\"", "end\\"})
    void saysWhatIsNotClosed(String line) {
        String message =
                assertThrows(IllegalArgumentException.class, () -> ShellWords.split(line))
                        .getMessage();
        assertTrue(message.contains("not closed") || message.contains("escapes nothing"), message);
    }
}
