package palyra.console.internal.run.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MarkdownTest {
    private static final TemplateEngine ENGINE =
            TemplateEngine.createPrecompiled(
                    null,
                    ContentType.Html,
                    MarkdownTest.class.getClassLoader(),
                    "palyra.console.internal.template");

    private static final Set<String> ELEMENTS =
            Set.of(
                    "p",
                    "figure",
                    "figcaption",
                    "pre",
                    "code",
                    "blockquote",
                    "ol",
                    "ul",
                    "li",
                    "div",
                    "table",
                    "thead",
                    "tbody",
                    "tr",
                    "th",
                    "td",
                    "hr",
                    "strong",
                    "em",
                    "del",
                    "br",
                    "a",
                    "span");

    /** Every attribute that may be there, with everything that it may say. */
    private static final Pattern ATTRIBUTE =
            Pattern.compile(
                    "\\s+(?:class=\"(?:text-heading|code|text-table|link-target)\""
                            + "|role=\"(?:heading|region)\"|aria-level=\"[3-6]\""
                            + "|aria-label=\"Table\"|tabindex=\"0\"|scope=\"col\""
                            + "|start=\"[0-9]+\"|rel=\"noreferrer noopener\""
                            + "|target=\"_blank\"|href=\"(?:https?://|mailto:)[^\"<>\\s]*\")",
                    Pattern.CASE_INSENSITIVE);

    private static final Pattern TAG = Pattern.compile("<(/?)([a-z]+)([^<>]*)>");

    private static String html(String text) {
        StringOutput output = new StringOutput();
        ENGINE.render("run/markdown.jte", Map.of("blocks", Markdown.blocks(text)), output);
        return output.toString();
    }

    /** Fails unless the markup is made of what is allowed and nothing else. */
    private static void assertSafe(String source) {
        String html = html(source);
        Matcher tag = TAG.matcher(html);
        StringBuilder rest = new StringBuilder();
        while (tag.find()) {
            assertTrue(ELEMENTS.contains(tag.group(2)), () -> "an element in " + html);
            assertEquals(
                    "",
                    ATTRIBUTE.matcher(tag.group(3)).replaceAll("").strip(),
                    () -> "an attribute in " + html);
            tag.appendReplacement(rest, "");
        }
        tag.appendTail(rest);
        assertFalse(rest.indexOf("<") >= 0, () -> "markup in " + html);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "<img src=x onerror=alert(1)>",
                "![a](https://example.org/pixel.png)",
                "[a](javascript:alert(1))",
                "[a](JaVaScRiPt:alert(1))",
                "[a](data:text/html,<script>alert(1)</script>)",
                "[a](https://example.org/\"onmouseover=\"alert(1))",
                "<javascript:alert(1)>",
                "```<script>\n</code></pre><script>alert(1)</script>\n```",
                "`</code><script>`",
                "# <b>x</b>",
                "| <i>a</i> | b |\n|---|---|\n| <script> | [x](vbscript:a) |",
                "[<img src=x>](https://example.org)",
                "<a href=https://example.org>x</a>",
                "hx-get=\"/x\" <div hx-get=/console/x hx-trigger=load>",
                "[a](https://user:secret@example.org/)",
                "[a](//example.org)",
                "[a](/console/sign-out)"
            })
    void attacksStayText(String source) {
        assertSafe(source);
    }

    @Test
    void theCheckItselfFindsMarkup() {
        assertTrue(TAG.matcher("<script>").find());
        assertFalse(ELEMENTS.contains("script"));
        assertFalse(ATTRIBUTE.matcher(" onclick=\"x\"").matches());
        assertFalse(ATTRIBUTE.matcher(" href=\"javascript:x\"").matches());
    }

    @Test
    void randomTextNeverBecomesOtherMarkup() {
        String[] pieces = {
            "<",
            ">",
            "\"",
            "'",
            "&",
            "`",
            "```",
            "~~~",
            "*",
            "**",
            "_",
            "~~",
            "[",
            "](",
            ")",
            "!",
            "#",
            "# ",
            "> ",
            "- ",
            "1. ",
            "|",
            "|-|\n",
            "\n",
            "\n\n",
            "  ",
            "\\",
            "https://a.b/",
            "javascript:",
            "mailto:a@b.c",
            "<script>",
            "onerror=",
            "a",
            "é",
            "\u202e",
            "\u0000",
            "href=",
            "&lt;",
            "---",
            "\t"
        };
        Random random = new Random(25);
        for (int i = 0; i < 3_000; i++) {
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(40);
            for (int j = 0; j < length; j++) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            assertSafe(text.toString());
        }
    }

    @Test
    void aLinkShowsWhereItLeads() {
        String html = html("[bank](https://evil.example/x?a=1&b=2)");
        assertTrue(html.contains("rel=\"noreferrer noopener\""), html);
        assertTrue(html.contains("(evil.example)"), html);
        assertTrue(html("<mailto:ada@example.org>").contains("(ada@example.org)"));
        assertFalse(html("[bank](https://user@evil.example/)").contains("<a "));
        assertFalse(html("[bank](https://еxample.org/)").contains("<a "), "no look-alike letters");
    }

    @Test
    void charactersThatTurnTheDirectionAreVisible() {
        for (String source :
                List.of("a\u202eb", "`a\u202eb`", "```\na\u202eb\n```", "**a\u202eb**")) {
            String html = html(source);
            assertTrue(html.contains("[U+202E]"), html);
            assertFalse(html.contains("\u202e"), html);
        }
    }

    @Test
    void writesTheSubset() {
        assertEquals(
                "<p>a <strong>b</strong> <em>c</em> <code>d</code> <del>e</del></p>",
                html("a **b** *c* `d` ~~e~~").strip());
        assertTrue(html("## Title").contains("aria-level=\"4\">Title</p>"));
        assertTrue(html("- a\n- b").contains("<ul><li><p>a</p>"));
        assertTrue(html("3. a").contains("<ol start=\"3\">"));
        assertTrue(html("> a").contains("<blockquote><p>a</p>"));
        assertTrue(
                html("```java\nint x;\n```").contains("<pre tabindex=\"0\"><code>int x;</code>"));
        assertTrue(html("|a|b|\n|-|-|\n|1|2|").contains("<td>1</td><td>2</td>"));
        assertEquals("<p>snake_case_name</p>", html("snake_case_name").strip());
        assertEquals("<p>2 * 3 * 4</p>", html("2 * 3 * 4").strip());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"*", "_", "`", "[", "](", "> ", "- ", "**a", "<", "|-", "~~", "[a](", "#"})
    void noTextTakesLong(String piece) {
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> html(piece.repeat(300_000 / piece.length())));
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> html((piece + "\n").repeat(20_000)));
    }

    /** Lines on which an expression that gives back what it took tries each length of a run. */
    @Test
    void noLineTakesLong() {
        String blanks = " ".repeat(250_000);
        for (String line :
                List.of(
                        "# a" + blanks + "b",
                        "# a" + blanks + "#b",
                        "#" + blanks + "\u2028b",
                        "-" + blanks + "\u2028b",
                        "1." + blanks + "\u0085b",
                        "```" + blanks + "`",
                        "~".repeat(250_000) + "`",
                        "a|b\n" + blanks + "-" + blanks + "x")) {
            assertTimeoutPreemptively(Duration.ofSeconds(10), () -> html(line), line.strip());
        }
    }

    @Test
    void marksThatCloseATitleAreNoPartOfIt() {
        assertTrue(html("# a ##").contains(">a</p>"), html("# a ##"));
        assertTrue(html("# a \t#  ").contains(">a</p>"));
        assertTrue(html("# a#").contains(">a#</p>"));
        assertTrue(html("# #").contains("></p>"), html("# #"));
        assertTrue(html("# a # b").contains(">a # b</p>"));
    }

    @Test
    void whatIsBeyondTheBoundIsShownAsItIs() {
        String html = html("a\n".repeat(Markdown.MAX_CHARACTERS / 2) + "**last**");
        assertTrue(html.contains("**last**"));
    }
}
