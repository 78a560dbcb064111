package palyra.shell.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LayoutTest {
    @Test
    void alignsColumnsAlsoOfWideAndCombinedLetters() {
        String text =
                Layout.table(
                        List.of("Name", "State"),
                        List.of(
                                List.of("日本", "up"),
                                List.of("e\u0301a", "up"),
                                List.of("abcdef", "")),
                        0);
        assertEquals("NAME    STATE\n日本    up\ne\u0301a      up\nabcdef  -\n", text);
    }

    @Test
    void cutsOnlyTheLastColumnAndOnlyForATerminal() {
        List<List<String>> rows = List.of(List.of("a", "x".repeat(100)));
        for (String line : Layout.table(List.of("A", "B"), rows, 40).lines().toList()) {
            assertEquals(true, DisplayWidth.of(line) <= 40, line);
        }
        assertEquals(true, Layout.table(List.of("A", "B"), rows, 0).contains("x".repeat(100)));
    }

    @Test
    void labelsFieldsForPeople() {
        assertEquals(
                "run id:  1\nlist:    a\n         b\nnone:    -\n",
                Layout.fields(Fields.of("runId", 1, "list", List.of("a", "b"), "none", "")));
    }

    @Test
    void keepsOneRowOnOneLineWhateverIsInIt() {
        String text = Layout.table(List.of("A"), List.of(List.of("a\nb\rc\td")), 0);
        assertEquals("A\na⏎b c d\n", text);
    }

    @Test
    void showsControlCharactersInsteadOfObeyingThem() {
        String evil = "\u001b[2J\u009b1m\u202Eabc\u0007";
        for (String safe :
                List.of(
                        SafeText.block(evil),
                        SafeText.line(evil),
                        Layout.fields(Map.of("k", evil)),
                        Layout.table(List.of("A"), List.of(List.of(evil)), 80))) {
            assertFalse(safe.contains("\u001b"), safe);
            assertFalse(safe.contains("\u009b"), safe);
            assertFalse(safe.contains("\u202E"), safe);
            assertFalse(safe.contains("\u0007"), safe);
        }
        assertEquals("a\nb\tc", SafeText.block("a\nb\tc"));
    }
}
