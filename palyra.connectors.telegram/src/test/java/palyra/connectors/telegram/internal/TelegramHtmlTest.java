package palyra.connectors.telegram.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.testing.telegram.TelegramMarkup;

class TelegramHtmlTest {
    private static final Pattern WORD = Pattern.compile("w[0-9]+");

    private static String one(String markdown) {
        List<String> parts = TelegramHtml.render(markdown);
        assertEquals(1, parts.size(), parts.toString());
        assertEquals(TelegramMarkup.text(parts.get(0)), TelegramHtml.text(parts.get(0)));
        return parts.get(0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "plain & <b>not html</b> ! plain &amp; &lt;b&gt;not html&lt;/b&gt;",
                "**bold** and __bold__ ! <b>bold</b> and <b>bold</b>",
                "*it* and _it_ ! <i>it</i> and <i>it</i>",
                "***both*** ! <i><b>both</b></i>",
                "**bold *it* bold** ! <b>bold <i>it</i> bold</b>",
                "~~gone~~ ~5 and ~~~ ! <s>gone</s> ~5 and ~~~",
                "snake_case_name 2*3*4 ! snake_case_name 2<i>3</i>4",
                "2 * 3 * 4 ! 2 * 3 * 4",
                "**open *a** b* ! <i><i>open <i>a</i></i> b</i>",
                "**never closed ! **never closed",
                "\\*not\\* \\a \\\\ ! *not* \\a \\",
                "`a < b` `` c`d `` ` ! <code>a &lt; b</code> <code>c`d</code> `",
                "`**raw**` ! <code>**raw**</code>",
                "[a **b**](https://x.test/?q=1&r=\"2\") ! <a href=\"https://x.test/?q=1&amp;r=&quot;2&quot;\">a <b>b</b></a>",
                "[a](http://x.test/a_(b)) [c](<http://x.test/d e>) ! <a href=\"http://x.test/a_(b)\">a</a> <a href=\"http://x.test/d e\">c</a>",
                "[a](https://x.test \"title\") ! <a href=\"https://x.test\">a</a>",
                "[a](javascript:alert) [b](tg://user?id=1) ! a (javascript:alert) b (tg://user?id=1)",
                "[a](docs/x.md) [b] (c) [d]( ! a (docs/x.md) [b] (c) [d](",
                "<https://x.test/a_b_c> <not a link> ! <a href=\"https://x.test/a_b_c\">https://x.test/a_b_c</a> &lt;not a link&gt;",
                "- a ! • a",
                "12. a ! 12. a",
                "--- ! ———",
                "> quoted *it* ! <blockquote>quoted <i>it</i></blockquote>",
                "> > deep ! <blockquote>deep</blockquote>",
                "*emph*text ! <i>emph</i>text",
                "**bold:**text ! **bold:**text",
                "“**bold**” ! “<b>bold</b>”",
            },
            ignoreLeadingAndTrailingWhitespace = false)
    void markdownBecomesHtml(String markdown, String html) {
        assertEquals(html.substring(1), one(markdown.substring(0, markdown.length() - 1)));
    }

    @Test
    void headingsAreBold() {
        assertEquals("<b>Head <i>it</i></b>", one("## Head *it* ##"));
        assertEquals("#hashtag", one("#hashtag"));
    }

    @Test
    void nestedListsKeepTheirIndent() {
        assertEquals("• a\n  • <b>b</b>\n  2) c", one("- a\n  * **b**\n  2) c"));
    }

    @Test
    void imagesAreTextWithTheirAddress() {
        assertEquals(
                "<a href=\"http://x.test\">alt (http://i.test/p.png)</a>",
                one("[![alt](http://i.test/p.png)](http://x.test)"));
        assertEquals("<a href=\"http://i.test/p.png\">alt</a>", one("![alt](http://i.test/p.png)"));
    }

    @Test
    void emphasisMayGoOverLines() {
        assertEquals("<b>a\nb</b>", one("**a\nb**"));
        assertEquals("**a\n\nb**", one("**a\n\nb**"));
    }

    @Test
    void codeBlocksKeepTheirLanguageAndText() {
        assertEquals(
                "a\n<pre><code class=\"language-java\">if (a &lt; b) {\n  **x**\n}</code></pre>\nb",
                one("a\n```java\nif (a < b) {\n  **x**\n}\n```\nb"));
        assertEquals("<pre>x</pre>", one("~~~\nx\n~~~"));
        assertEquals("<pre>``` inside</pre>", one("````\n``` inside\n````"));
        assertEquals("<pre>x</pre>", one("```<lang> \"such\"\nx\n```"));
        assertEquals("<pre>never closed</pre>", one("```\nnever closed"));
    }

    @Test
    void tablesAreTextOfOneWidth() {
        assertEquals(
                "<pre>name | n\n-----+----\nab   | 10\nc    | 2&amp;3</pre>\nafter",
                one("| name | n |\n|:-----|---:|\n| ab | 10 |\n| c | 2&3 |\nafter"));
        assertEquals("a | b\nc | d", one("a | b\nc | d"));
    }

    @Test
    void aTableThatWouldNotFitStaysAsItIs() {
        StringBuilder table =
                new StringBuilder("| a | b |\n|---|---|\n| " + "x".repeat(500) + " | 1 |\n");
        for (int i = 0; i < 100; i++) {
            table.append("| y | ").append(i).append(" |\n");
        }
        String html = one(table.toString());
        assertTrue(html.contains("| y | 99 |"), html);
        assertTrue(TelegramMarkup.text(html).length() <= TelegramHtml.MAX);
    }

    @ParameterizedTest
    @ValueSource(strings = {"**", "```\n```", "[](  )", "# ", "> ", "\\", "||", "![]()", "&#8203;"})
    void whatHasNoTextIsSentAsItIs(String markdown) {
        assertFalse(TelegramMarkup.text(one(markdown)).isBlank());
    }

    @Test
    void quotedMarkupOfALongAnswerIsCutAndBalanced() {
        String markdown =
                "> **"
                        + "word ".repeat(2_000)
                        + "**\n\n```python\n"
                        + "print(1)\n".repeat(1_000)
                        + "```\nend";
        List<String> parts = TelegramHtml.render(markdown);
        assertTrue(parts.size() >= 4, parts.size() + "");
        for (String part : parts) {
            assertTrue(TelegramMarkup.text(part).length() <= TelegramHtml.MAX);
        }
        assertTrue(parts.get(parts.size() - 2).startsWith("<pre><code class=\"language-python\">"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[", "(", "`", "*", "_", "~", "> ", "<", "\\", "|", "#", "![", "[](", "*a ", "\\a",
                "a*b`", "|-"
            })
    void longRunsOfOneMarkEnd(String mark) {
        for (String part : TelegramHtml.render("x" + mark.repeat(4_090 / mark.length()))) {
            TelegramMarkup.text(part);
        }
        for (String part : TelegramHtml.render("|\n" + mark.repeat(4_090 / mark.length()))) {
            TelegramMarkup.text(part);
        }
    }

    @Test
    void randomMarkdownIsBalancedShortEnoughAndComplete() {
        for (int seed = 0; seed < 3_000; seed++) {
            String markdown = markdown(new Random(seed));
            List<String> parts = TelegramHtml.render(markdown);
            List<String> words = new ArrayList<>();
            for (String part : parts) {
                String text = TelegramMarkup.text(part);
                assertEquals(text, TelegramHtml.text(part), "seed " + seed);
                assertFalse(text.isBlank(), "seed " + seed);
                assertTrue(text.length() <= TelegramHtml.MAX, "seed " + seed);
                assertTrue(TelegramHtml.plain(part).length() <= TelegramHtml.MAX, "seed " + seed);
                words.addAll(words(part));
            }
            List<String> all = words(markdown);
            all.removeAll(words);
            assertEquals(List.of(), all, "words lost, seed " + seed);
        }
    }

    /** Random characters, with no words to look for. */
    @Test
    void randomMarksAreBalanced() {
        String marks = "**__~~``[]()<>!#>-|\\\n\n ab&\"'\ud83d\ude00\ud800:/";
        for (int seed = 0; seed < 5_000; seed++) {
            Random random = new Random(seed);
            StringBuilder markdown = new StringBuilder("x");
            for (int i = random.nextInt(seed % 50 == 0 ? 9_000 : 80); i > 0; i--) {
                markdown.append(marks.charAt(random.nextInt(marks.length())));
            }
            for (String part : TelegramHtml.render(markdown.toString())) {
                assertTrue(TelegramMarkup.text(part).length() <= TelegramHtml.MAX, "seed " + seed);
            }
        }
    }

    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        for (Matcher word = WORD.matcher(text); word.find(); ) {
            words.add(word.group());
        }
        return words;
    }

    private static String markdown(Random random) {
        StringBuilder markdown = new StringBuilder("w0");
        int[] next = {1};
        int blocks = 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 12);
        for (int i = 0; i < blocks; i++) {
            markdown.append(random.nextBoolean() ? "\n\n" : "\n").append(block(random, next));
        }
        return markdown.toString();
    }

    private static String block(Random random, int[] next) {
        String indent = " ".repeat(random.nextInt(4));
        return switch (random.nextInt(8)) {
            case 0 -> "#".repeat(1 + random.nextInt(6)) + " " + inline(random, next, 3);
            case 1 -> indent + "- " + inline(random, next, 4);
            case 2 -> indent + random.nextInt(99) + ". " + inline(random, next, 4);
            case 3 -> "> " + inline(random, next, 4) + "\n> > " + inline(random, next, 2);
            case 4 -> {
                String fence = random.nextBoolean() ? "```" : "~~~~";
                yield fence
                        + (random.nextBoolean() ? "java" : "")
                        + "\n"
                        + (inline(random, next, 5) + "\n").repeat(1)
                        + (random.nextInt(5) == 0 ? "" : fence);
            }
            case 5 ->
                    "| "
                            + inline(random, next, 1)
                            + " | w"
                            + next[0]++
                            + " |\n|---|:-:|\n| w"
                            + next[0]++
                            + " | "
                            + inline(random, next, 2)
                            + " |";
            default -> inline(random, next, 12);
        };
    }

    private static String inline(Random random, int[] next, int most) {
        StringBuilder inline = new StringBuilder();
        for (int i = 1 + random.nextInt(most); i > 0; i--) {
            String word = "w" + next[0]++;
            inline.append(
                    switch (random.nextInt(14)) {
                        case 0 -> "**" + word + "**";
                        case 1 -> "*" + word;
                        case 2 -> word + "_";
                        case 3 -> "`" + word + "`";
                        case 4 -> "`" + word;
                        case 5 -> "[" + word + "](https://x.test/w" + next[0]++ + "?a=1&b)";
                        case 6 -> "[" + word + "](w" + next[0]++ + ")";
                        case 7 -> "![" + word + "](http://x.test/w" + next[0]++ + ".png)";
                        case 8 -> "~~" + word + "~~";
                        case 9 -> "<" + word + ">";
                        case 10 -> "\\[" + word + "]&amp;";
                        case 11 -> "**[" + word + " *";
                        default -> word;
                    });
            inline.append(random.nextInt(12) == 0 ? "\n" : " ");
        }
        return inline.toString().stripTrailing();
    }
}
