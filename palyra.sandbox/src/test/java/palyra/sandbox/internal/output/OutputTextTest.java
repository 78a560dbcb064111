package palyra.sandbox.internal.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a model sees of the bytes that a command writes. */
class OutputTextTest {
    private static final int ROOM = 4_000;

    /** Pieces of what terminals get, among which random ones are chosen. */
    private static final String[] PIECES = {
        "word ",
        "\n",
        "\r",
        "\r\n",
        "\b",
        "\t",
        "é",
        "漢",
        "😀",
        "\u001b[31m",
        "\u001b[2K",
        "\u001b]0;title\u0007",
        "\u001b]8;;x\u001b\\",
        "\u001b(B",
        "\u001b[",
        "\u001b",
        "\0",
        "\u0007",
        "\u0085",
        "a".repeat(900),
        "\u001bP",
        "10%",
        "\\",
        "\""
    };

    private static OutputText of(byte[] bytes, Random chunks, int room) {
        OutputWindow window = new OutputWindow(room);
        int at = 0;
        while (at < bytes.length) {
            int to = chunks == null ? bytes.length : at + 1 + chunks.nextInt(bytes.length - at);
            if (chunks != null && chunks.nextInt(3) > 0) {
                to = Math.min(to, at + 1 + chunks.nextInt(7));
            }
            window.add(bytes, at, to);
            at = to;
        }
        window.end();
        return window.text();
    }

    private static String shown(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8), null, ROOM).shown(ROOM, "elsewhere");
    }

    private static byte[] random(Random random) {
        StringBuilder text = new StringBuilder();
        int pieces = random.nextInt(80);
        for (int i = 0; i < pieces; i++) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    @Test
    void piecesInWhichItComesMakeNoDifference() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 3_000; i++) {
            byte[] bytes = random(random);
            int room = 20 + random.nextInt(6_000);
            OutputText whole = of(bytes, null, room);
            OutputText pieces = of(bytes, random, room);
            String told = "seed " + seed + " round " + i;
            assertEquals(whole.shown(room, "there"), pieces.shown(room, "there"), told);
            assertEquals(whole.end(room / 2), pieces.end(room / 2), told);
            assertEquals(whole.bytes(), pieces.bytes(), told);
            assertEquals(whole.lines(), pieces.lines(), told);
            assertEquals(whole.binary(), pieces.binary(), told);
        }
    }

    @Test
    void whatIsShownIsBoundedAndWholeCharactersOnly() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 3_000; i++) {
            byte[] bytes = random(random);
            OutputText all = of(bytes, null, 1 << 20);
            String whole = all.shown(1 << 20, "");
            int room = 20 + random.nextInt(3_000);
            String told = "seed " + seed + " round " + i;
            OutputText kept = of(bytes, null, room + random.nextInt(3_000));
            String shown = kept.shown(room, "there");
            assertEquals(all.bytes(), kept.bytes(), told);
            assertEquals(all.lines(), kept.lines(), told);
            if (whole.getBytes(StandardCharsets.UTF_8).length <= room) {
                assertEquals(whole, shown, told);
                continue;
            }
            int mark = shown.indexOf("[… ");
            int after = shown.indexOf(" …]\n") + 4;
            String head = shown.substring(0, mark);
            String tail = shown.substring(after);
            String begins = head.endsWith("\n") ? head.substring(0, head.length() - 1) : head;
            assertTrue(whole.startsWith(begins), told);
            assertTrue(whole.endsWith(tail), told);
            int sizes = size(head) + size(tail);
            assertTrue(sizes <= room + 1, told + ": " + sizes + " of " + room);
            long gone = Long.parseLong(shown.substring(mark + 3, shown.indexOf(" bytes", mark)));
            long sum = gone + sizes - all.bytes(); // a line end may come before the mark
            assertTrue(sum == 0 || sum == 1 && head.endsWith("\n"), told + ": " + sum);
            assertTrue(size(kept.end(room)) <= room, told);
            assertTrue(whole.endsWith(kept.end(room)), told);
        }
    }

    private static int size(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Test
    void progressBarsCollapseToTheirLastState() {
        assertEquals("100%\ndone\n", shown("1%\r50%\r100%\ndone\n"));
        assertEquals("a\nb\n", shown("a\r\nb\r\n"));
        assertEquals("a\nb\n", shown("a\r\r\nb\r\n"));
        assertEquals("100%", shown("10%\r\u001b[2K100%\r"));
        assertEquals("abd\n", shown("abc\bd\n"));
        assertEquals("x\n", shown("漢\bx\n"));
        assertEquals("\nx", shown("\n\b\bx"));
    }

    @Test
    void escapeSequencesAreLeftOut() {
        assertEquals("red plain\n", shown("\u001b[1;31mred\u001b[0m plain\n"));
        assertEquals("text\n", shown("\u001b]0;a title\u0007text\n"));
        assertEquals("link\n", shown("\u001b]8;;http://h\u001b\\link\u001b]8;;\u001b\\\n"));
        assertEquals("x\n", shown("\u001b(Bx\u001b=\u0007\n"));
        assertEquals("\nnext", shown("\u001b]never ended\nnext"));
    }

    @Test
    void invalidBytesAndUnfinishedCharactersAreReplaced() {
        byte[] bytes = {'a', (byte) 0xC3, 'b', (byte) 0xFF, (byte) 0xE2, (byte) 0x82};
        assertEquals("a\uFFFDb\uFFFD\uFFFD", of(bytes, null, ROOM).shown(ROOM, ""));
    }

    @Test
    void binaryDataIsRecognizedAndNulsOfAListAreNot() {
        byte[] noise = new byte[5_000];
        new Random(7).nextBytes(noise);
        assertTrue(of(noise, null, ROOM).binary());
        assertTrue(of(new byte[100], null, ROOM).binary());
        byte[] names = "src/main/java/A.java\0".repeat(300).getBytes(StandardCharsets.UTF_8);
        assertFalse(of(names, null, ROOM).binary());
        byte[] chinese = "漢字\n".repeat(500).getBytes(StandardCharsets.UTF_8);
        assertFalse(of(chinese, null, ROOM).binary());
    }

    @Test
    void oneEndlessLineTakesNoMoreMemoryThanItsBound() {
        OutputWindow window = new OutputWindow(ROOM);
        byte[] chunk = "z".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        int chunks = 0;
        while (chunks < 2_000 && System.nanoTime() < until) {
            window.add(chunk, 0, chunk.length);
            chunks++;
        }
        OutputText text = window.text();
        assertEquals((long) chunks << 16, text.bytes());
        assertTrue(text.head().length + text.tail().length <= ROOM + TerminalText.LINE);
    }
}
