package palyra.channels.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.channel.MarkdownParts;

final class MarkdownPartsTest {
    private static final List<String> PIECES =
            List.of(
                    "word ",
                    "a longer piece of a sentence, ",
                    "\n",
                    "\n\n",
                    "- item\n",
                    "[a link with words](https://example.test/a/path) ",
                    "\n```java\nint x = 1;\n",
                    "\n```\n",
                    "\n~~~\n",
                    "x".repeat(90),
                    "\uD83D\uDE00".repeat(40),
                    "    indented\n",
                    "\n`````\n",
                    "\n```````````\n");

    @Test
    void shortTextIsOnePart() {
        assertEquals(List.of("hello"), MarkdownParts.cut("hello\n", 64));
    }

    @Test
    void paragraphsStayWholeWhereTheyFit() {
        String first = "a ".repeat(20).strip();
        String second = "b ".repeat(20).strip();
        assertEquals(List.of(first, second), MarkdownParts.cut(first + "\n\n" + second, 64));
    }

    @Test
    void codeBlockThatIsCutIsClosedAndOpenedAgain() {
        String code = "```java\n" + "line of code;\n".repeat(10) + "```\nafter it a paragraph";
        List<String> parts = MarkdownParts.cut(code, 70);
        assertTrue(parts.size() > 2, parts.toString());
        for (String part : parts.subList(0, parts.size() - 1)) {
            assertTrue(part.startsWith("```java\n"), part);
            assertTrue(part.endsWith("\n```"), part);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[a [nested] text](https://example.test/path)",
                "[some [very long text of a link that goes on] here](https://a.test)"
            })
    void linkWithBracketsInItsTextIsNotCut(String link) {
        String text = "some words before it and " + link + " after it some more words";
        assertTrue(
                MarkdownParts.cut(text, 72).stream().anyMatch(part -> part.contains(link)),
                () -> MarkdownParts.cut(text, 72).toString());
    }

    @Test
    void manyOpenBracketsTakeNoTime() {
        String text = "[a".repeat(50_000);
        assertEquals(text, String.join("", MarkdownParts.cut(text, 2_000)));
    }

    @Test
    void linkIsNotCut() {
        String link = "[a link with words](https://example.test/path)";
        String text = "some words before it and " + link + " after it some more words";
        assertTrue(
                MarkdownParts.cut(text, 64).stream().anyMatch(part -> part.contains(link)),
                MarkdownParts.cut(text, 64).toString());
    }

    @Test
    void randomTextsKeepTheirWordsWithinTheBounds() {
        Random random = new Random(7);
        for (int round = 0; round < 3_000; round++) {
            StringBuilder text = new StringBuilder("begin ");
            int pieces = random.nextInt(40);
            for (int i = 0; i < pieces; i++) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            int max = 64 + random.nextInt(200);
            List<String> parts = MarkdownParts.cut(text.toString(), max);
            for (String part : parts) {
                assertTrue(part.length() <= max, () -> "longer than " + max + ": " + part);
                assertFalse(part.isBlank());
                assertFalse(Character.isLowSurrogate(part.charAt(0)), part);
                assertFalse(Character.isHighSurrogate(part.charAt(part.length() - 1)), part);
            }
            assertEquals(plain(text.toString()), plain(String.join("\n", parts)), text.toString());
        }
    }

    /** Everything but white space and lines that open or close code. */
    private static String plain(String text) {
        return text.lines()
                .filter(line -> !line.matches("^ {0,3}(`{3,8}|~{3,8})[^`~]*$"))
                .collect(Collectors.joining())
                .replaceAll("\\s", "");
    }
}
