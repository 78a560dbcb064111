package palyra.shell.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LayoutTest {
    private static final Layout PLAIN = new Layout(Style.PLAIN);

    @Test
    void alignsColumnsAlsoOfWideAndCombinedLetters() {
        String text =
                PLAIN.table(
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
        for (String line : PLAIN.table(List.of("A", "B"), rows, 40).lines().toList()) {
            assertEquals(true, DisplayWidth.of(line) <= 40, line);
        }
        assertEquals(true, PLAIN.table(List.of("A", "B"), rows, 0).contains("x".repeat(100)));
    }

    @Test
    void cutsTheWidestColumnsOfATableThatIsTooWide() {
        List<String> headings = List.of("Run", "State", "Principal", "Reason");
        List<List<String>> rows =
                List.of(List.of("0".repeat(26), "RUNNING", "user:" + "p".repeat(40), "because"));
        String text = PLAIN.table(headings, rows, 60);
        for (String line : text.lines().toList()) {
            assertEquals(true, DisplayWidth.of(line) <= 60, line);
        }
        assertEquals(true, text.contains("0".repeat(26)), text);
        assertEquals(true, text.contains("RUNNING"), text);
        assertEquals(true, text.contains("because"), text);
        assertEquals(true, PLAIN.table(headings, rows, 0).contains("p".repeat(40)));
    }

    @Test
    void keepsStatesAndIdsWholeAndShortensTimesBeforeTexts() {
        List<String> headings = List.of("Run", "State", "Created", "Agent", "Principal", "Reason");
        List<String> row =
                List.of(
                        "0".repeat(26),
                        "AWAITING_APPROVAL",
                        "2026-11-22T03:22:01Z",
                        "default",
                        "user:palyra",
                        "-");
        Layout colours = new Layout(new Style(true));
        String text = colours.table(headings, List.of(row), 80);
        assertEquals(true, text.contains("\033[33mAWAITING_APPROVAL\033[0m"), text);
        assertEquals(true, text.contains("0".repeat(26) + " "), text);
        assertEquals(true, text.contains(" 11-22 03:22 "), text);
        assertEquals(true, PLAIN.table(headings, List.of(row), 120).contains(row.get(2)));
        for (String line : PLAIN.table(headings, List.of(row), 80).lines().toList()) {
            assertEquals(true, DisplayWidth.of(line) <= 80, line);
        }
    }

    @Test
    void givesEachCellALineWhereWholeOnesHaveNoRoom() {
        List<String> row = List.of("1".repeat(26), "AWAITING_APPROVAL", "2".repeat(26), "a word");
        assertEquals(
                """
                run:     11111111111111111111111111
                state:   AWAITING_APPROVAL
                call:    22222222222222222222222222
                reason:  a word

                run:     11111111111111111111111111
                state:   AWAITING_APPROVAL
                call:    22222222222222222222222222
                reason:  a word
                """,
                PLAIN.table(List.of("Run", "State", "Call", "Reason"), List.of(row, row), 60));
    }

    @Test
    void breaksLinesBetweenWordsAndLeavesWideWordsWhole() {
        assertEquals(
                "  one two three four\n  five",
                DisplayWidth.wrap("  one two three four five", 20, ""));
        assertEquals(
                "a " + "x".repeat(30) + "\n  b",
                DisplayWidth.wrap("a " + "x".repeat(30) + " b", 33, "  "));
        assertEquals("one\ntwo", DisplayWidth.wrap("one\ntwo", 20, ""));
        assertEquals(
                "why:  one two three four\n      five\n",
                PLAIN.fields(Map.of("why", "one two three four five"), 26));
    }

    @Test
    void showsTypedCellsAsText() {
        List<?> row = Arrays.asList(12, true, List.of("a", "b"), List.of(), Map.of("k", 1), null);
        assertEquals(
                "A   B    C     D  E    F\n12  yes  a, b  -  k=1  -\n",
                PLAIN.table(List.of("A", "B", "C", "D", "E", "F"), List.of(row), 0));
    }

    @Test
    void coloursHeadingsAndStatesWithoutMovingColumns() {
        Layout colours = new Layout(new Style(true));
        List<List<String>> rows = List.of(List.of("failed", "x"), List.of("fine", "y"));
        String text = colours.table(List.of("State", "Name"), rows, 0);
        assertEquals(
                "\033[1mSTATE\033[0m   \033[1mNAME\033[0m\n"
                        + "\033[31mfailed\033[0m  x\nfine    y\n",
                text);
        assertEquals(
                PLAIN.table(List.of("State", "Name"), rows, 0),
                text.replaceAll("\033\\[[0-9]+m", ""));
    }

    @Test
    void labelsFieldsForPeople() {
        assertEquals(
                "run id:  1\nlist:    a\n         b\nnone:    -\n",
                PLAIN.fields(Fields.of("runId", 1, "list", List.of("a", "b"), "none", ""), 0));
    }

    @Test
    void keepsOneRowOnOneLineWhateverIsInIt() {
        String text = PLAIN.table(List.of("A"), List.of(List.of("a\nb\rc\td")), 0);
        assertEquals("A\na⏎b c d\n", text);
    }

    @Test
    void showsControlCharactersInsteadOfObeyingThem() {
        String evil = "\u001b[2J\u009b1m\u202Eabc\u0007";
        for (String safe :
                List.of(
                        SafeText.block(evil),
                        SafeText.line(evil),
                        PLAIN.fields(Map.of("k", evil), 0),
                        PLAIN.table(List.of("A"), List.of(List.of(evil)), 80))) {
            assertFalse(safe.contains("\u001b"), safe);
            assertFalse(safe.contains("\u009b"), safe);
            assertFalse(safe.contains("\u202E"), safe);
            assertFalse(safe.contains("\u0007"), safe);
        }
        assertEquals("a\nb\tc", SafeText.block("a\nb\tc"));
    }
}
