package palyra.shell.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private static final String ERASE = "\r\033[K";

    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();

    private String text() {
        return terminal.toString(StandardCharsets.UTF_8);
    }

    private void await(Predicate<String> wanted) throws InterruptedException {
        for (int i = 0; i < 600 && !wanted.test(text()); i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertTrue(wanted.test(text()), text());
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void saysWhatASilentCommandDoesAndIsGoneBeforeItsOutput() throws Exception {
        try (ProgressLine line = new ProgressLine(terminal, "tape verify", Style.PLAIN, () -> 80)) {
            await(text -> text.contains("tape verify … "));
            line.says("verified 3 of 10 runs\u001b[2J");
            await(text -> text.contains("verified 3 of 10 runs␛[2J … "));
            write(line.before(terminal), "intact\n");
            assertTrue(text().endsWith(ERASE + "intact\n"), text());
        }
        assertTrue(text().endsWith(ERASE + "intact\n"), text());
    }

    @Test
    void isErasedAtTheEnd() throws Exception {
        try (ProgressLine line = new ProgressLine(terminal, "swap", Style.PLAIN, () -> 80)) {
            line.says("stopping");
            await(text -> text.contains("stopping … "));
        }
        assertTrue(text().endsWith(ERASE), text());
    }

    @Test
    void keepsToTheWidthOfTheTerminal() throws Exception {
        try (ProgressLine line =
                new ProgressLine(terminal, "x".repeat(90), Style.PLAIN, () -> 20)) {
            line.says("y".repeat(90));
            await(text -> text.contains("yyy"));
        }
        for (String each : List.of(text().split("\r\033\\[K"))) {
            assertTrue(DisplayWidth.of(each) < 20, each);
        }
    }

    /** A line that did not end is an answer being written, or a question to a person. */
    @Test
    void disturbsNeitherAHalfWrittenLineNorAPersonWhoTypes() throws Exception {
        CountDownLatch ticks = new CountDownLatch(1);
        try (ProgressLine half =
                        new ProgressLine(terminal, "ask", Style.PLAIN, () -> width(ticks));
                ProgressLine reads =
                        new ProgressLine(terminal, "vault put", Style.PLAIN, () -> width(ticks))) {
            write(half.before(terminal), "The answer is");
            reads.readsInput();
            assertFalse(ticks.await(2_500, TimeUnit.MILLISECONDS));
            assertEquals("The answer is", text());
            reads.says("storing");
            await(text -> text.contains("storing … "));
        }
    }

    private static int width(CountDownLatch ticks) {
        ticks.countDown();
        return 80;
    }
}
