package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Blocks of code as CommonMark and models write them, in the one form that Discord has. */
class DiscordMarkdownTest {
    private static final int MOST = 200;
    private static final List<String> PIECES =
            List.of(
                    "word ",
                    "\n",
                    "\n\n",
                    "```",
                    "```java",
                    "```\n",
                    "\n```\n",
                    "````",
                    "~~~",
                    "\n~~~\n",
                    "~~~~ kotlin\n",
                    "`",
                    "``",
                    "> ",
                    "- ",
                    "   ",
                    "\\",
                    "int x = 1;\n",
                    "a sentence of some words, ",
                    "x".repeat(150),
                    "y".repeat(450));

    private static String of(String text) {
        return DiscordMarkdown.of(text);
    }

    @Test
    void whatHasNoBlocksStaysAsItIs() {
        String text = "a `b` ``c``\n\n- **d**\n> e ~~f~~\n";
        assertEquals(text, of(text));
        assertEquals("```java\nint x;\n```\nend", of("```java\nint x;\n```\nend"));
    }

    @Test
    void otherFencesBecomeThatOfDiscord() {
        assertEquals("```python\nx\n```\nend", of("~~~python\nx\n~~~\nend"));
        assertEquals("```\n~~~\n```", of("````\n~~~\n````"));
        assertEquals(
                "```md\n``\u200B`java\nx\n``\u200B`\n```\nend",
                of("````md\n```java\nx\n```\n````\nend"));
        assertEquals("1. do\n```sh\nls\n  -l\n```", of("1. do\n   ```sh\n   ls\n     -l\n   ```"));
        assertEquals("> see\n```\na\n```", of("> see\n> ```\n> a\n> ```"));
    }

    @Test
    void aBlockWithinALineGetsLinesOfItsOwn() {
        assertEquals("see\n```\nx = 1\n```\nthere", of("see ``` x = 1 ``` there"));
        assertEquals("Here:\n```js\nx\n```\nend", of("Here: ```js\nx\n```\nend"));
        assertEquals("```\nx\n```\nend", of("```\nx```\nend"));
    }

    @Test
    void backticksThatMakeNoBlockAreKeptApart() {
        assertEquals("write ``\u200B` first", of("write ``` first"));
        assertEquals("`` ``\u200B` `` is code", of("`` ``` `` is code"));
        assertEquals("```py\nprint('``\u200B`')\n```", of("```py\nprint('```')\n```"));
    }

    @Test
    void aLineOfOneCharacterOverAndOverTakesNoStackAndNoTime() {
        for (String one : List.of(">", " ", "> ", "`", "```a```", "\t>", "``` ")) {
            String line = one.repeat(30_000);
            List<String> parts =
                    assertTimeoutPreemptively(
                            Duration.ofSeconds(20),
                            () -> DiscordMarkdown.render("a\n```\nb\n```\n" + line + "c", 2_000));
            assertTrue(parts.getLast().contains("c"), one);
        }
    }

    @Test
    void aFenceBehindMoreQuotesThanPeopleWriteIsNone() {
        assertEquals("```\nx\n```", of("> ".repeat(90) + "```\n" + "> ".repeat(90) + "x\n```"));
        String deep = ">".repeat(201) + "```";
        assertEquals(">".repeat(201) + "``\u200B`", of(deep));
    }

    @Test
    void aLongLineBehindAFenceIsClosedInEachPart() {
        String line = "xy=1; ".repeat(420).strip();
        for (String text : List.of("```" + line + "```", "```" + line + "\n```", "``` " + line)) {
            List<String> parts = DiscordMarkdown.render(text, 2_000);
            assertEquals(2, parts.size());
            for (String part : parts) {
                assertTrue(part.startsWith("```\n") && part.endsWith("\n```"), part);
            }
            assertEquals(bare(text), bare(String.join("", parts)));
        }
    }

    /** What no cut repeats, as it does languages. */
    private static String bare(String text) {
        return text.replaceAll("[^xy=;,1]", "");
    }

    /** Discord sees a block in each pair of three backticks, wherever they are. */
    @Test
    void eachPartHasWholeBlocksWhereverFencesOpenAndEnd() {
        Random random = new Random(24);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder("begin ");
            for (int i = random.nextInt(25); i > 0; i--) {
                text.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            String shown = text.toString();
            List<String> parts = DiscordMarkdown.render(shown, MOST);
            for (String part : parts) {
                assertTrue(part.length() <= MOST, () -> part.length() + " of: " + shown);
                long fences = part.lines().filter(line -> line.matches("```\\S{0,16}")).count();
                assertEquals(0, fences % 2, () -> "open in:\n" + part + "\nof:\n" + shown);
                long runs = part.split("```", -1).length - 1;
                assertEquals(runs, fences, () -> "in a line of:\n" + part + "\nof:\n" + shown);
            }
            assertEquals(bare(shown), bare(String.join("", parts)), shown);
        }
    }
}
