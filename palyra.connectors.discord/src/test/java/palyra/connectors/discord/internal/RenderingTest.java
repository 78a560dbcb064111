package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import palyra.api.core.egress.EgressClient;
import palyra.api.core.egress.EgressTunnels;
import palyra.shared.gate.Gate;

/**
 * Texts become chunks that each are whole. Documents are made at random from a seed, so that a
 * failure comes again.
 */
class RenderingTest {
    private static final int MOST = 2_000; // characters: never fewer than UTF-16 units
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\([^)]*\\)");
    private static final Pattern FENCE = Pattern.compile("(?m)^(```|~~~)([a-z]*)$");

    private final Random random = new Random(24);
    private final DiscordConnector connector =
            new DiscordConnector(
                    Settings.of("https://discord.test/api/v10"),
                    new Gate<EgressClient>("x", palyra.api.ErrorCode.TOOL_UNAVAILABLE, 0),
                    new Gate<EgressTunnels>("x", palyra.api.ErrorCode.TOOL_UNAVAILABLE, 0),
                    Account.Waits.USUAL);

    private String word() {
        String[] words = {"word", "*mark*", "`code`", "😀", "é", "a_b", "<@1>", "@everyone", "x"};
        return random.nextInt(40) == 0 ? "y".repeat(300) : words[random.nextInt(words.length)];
    }

    private String words(int most) {
        return random.ints(1 + random.nextInt(most), 0, 1)
                .mapToObj(i -> word())
                .collect(Collectors.joining(" "));
    }

    private String block() {
        return switch (random.nextInt(6)) {
            case 0 -> "## " + words(6);
            case 1 ->
                    random.ints(1 + random.nextInt(40), 0, 1)
                            .mapToObj(i -> "- " + words(12))
                            .collect(Collectors.joining("\n"));
            case 2 ->
                    "```java\n"
                            + random.ints(1 + random.nextInt(120), 0, 1)
                                    .mapToObj(i -> "    int i = " + random.nextInt() + ";")
                                    .collect(Collectors.joining("\n"))
                            + "\n```";
            case 3 -> "see [" + words(4).replace("`", "") + "](https://example.org/a?b=c) there";
            default -> words(400);
        };
    }

    private String document() {
        return random.ints(1 + random.nextInt(12), 0, 1)
                .mapToObj(i -> block())
                .collect(Collectors.joining("\n\n"));
    }

    /** What people read, without the spaces and fences that a cut may add or take. */
    private static String bare(String text) {
        return text.replaceAll("(?m)^(```|~~~)[a-z]*$", "").replaceAll("\\s+", "");
    }

    @Test
    void chunksFitLoseNothingAndHaveWholeFencesAndLinks() {
        for (int i = 0; i < 400; i++) {
            String document = document();
            List<String> chunks = connector.render(document);
            assertEquals(bare(document), bare(String.join("\n", chunks)), "document " + i);
            for (String chunk : chunks) {
                assertTrue(chunk.length() <= MOST, chunk.length() + " units in document " + i);
                assertTrue(!chunk.isBlank(), "a blank chunk in document " + i);
                assertBalanced(chunk);
            }
            assertEquals(links(document), links(String.join("\n", chunks)), "document " + i);
        }
    }

    private static void assertBalanced(String chunk) {
        Matcher fence = FENCE.matcher(chunk);
        boolean open = false;
        while (fence.find()) {
            if (!open) {
                assertEquals("java", fence.group(2), "a block is opened with its language");
            }
            open = !open;
        }
        assertTrue(!open, () -> "a fence is open at the end of: " + chunk);
    }

    private static List<String> links(String text) {
        List<String> found = new ArrayList<>();
        Matcher link = LINK.matcher(text);
        while (link.find()) {
            found.add(link.group());
        }
        return found;
    }

    @Test
    void itemsOfListsStayWholeWhereTheyFit() {
        String list =
                random.ints(200, 0, 1)
                        .mapToObj(i -> "- item with some words " + random.nextInt(1_000))
                        .collect(Collectors.joining("\n"));
        for (String chunk : connector.render(list)) {
            assertTrue(chunk.lines().allMatch(line -> line.startsWith("- item")), chunk);
        }
    }

    @Test
    void aShortTextIsOneChunk() {
        assertEquals(List.of("**hi**"), connector.render("**hi**"));
    }
}
