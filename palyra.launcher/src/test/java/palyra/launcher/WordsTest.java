package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {
    @Test
    void splitsAtBlanks() {
        assertEquals(List.of("tape", "show", "01J"), Words.split("  tape\tshow  01J \n"));
        assertEquals(List.of(), Words.split(" \r\n"));
    }

    @Test
    void keepsQuotedTextAndEmptyWords() {
        assertEquals(List.of("ask", "a  b", ""), Words.split("ask 'a  b' \"\""));
        assertEquals(List.of("ab c'd"), Words.split("a'b c'\"'\"d"));
        assertEquals(List.of("say \"hi\" \\ \\n"), Words.split("\"say \\\"hi\\\" \\\\ \\n\""));
    }

    @Test
    void takesABackslashLiterallyOnlyInQuotes() {
        assertEquals(List.of("a b", "\\x"), Words.split("a\\ b '\\x'"));
    }

    @Test
    void expandsNothing() {
        assertEquals(
                List.of("$HOME", "*", "`id`", "$(id)", ";", "|"),
                Words.split("$HOME * `id` $(id) ; |"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ask 'open", "ask \"open", "ask \"open\\\"", "end\\"})
    void saysWhatIsNotClosed(String line) {
        String message =
                assertThrows(IllegalArgumentException.class, () -> Words.split(line)).getMessage();
        assertTrue(message.contains("not closed") || message.contains("escapes nothing"), message);
    }
}
