package palyra.shell.internal.approvals;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.testing.wait.Await;

@Timeout(60)
class InputLinesTest {
    private final Keyboard keyboard = new Keyboard();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    private InputLines reading(InputStream in) {
        return InputLines.of(in, lines::add, ended::countDown);
    }

    private void comes(String... expected) {
        Await.until(List.of(expected) + " of " + lines, () -> lines.size() >= expected.length);
        assertEquals(List.of(expected), lines);
    }

    @Test
    void aLineEndsAsAnySystemEndsIt() throws Exception {
        try (InputLines input = reading(keyboard.terminal())) {
            keyboard.types("unix\nwindows\r\nold\r\n\nlast\n");
            comes("unix", "windows", "old", "", "last");
            keyboard.close();
            ended.await();
        }
    }

    /** Wherever the reader is, what was typed before does not come after. */
    @Test
    void whatCameBeforeIsForgottenWhereverItIs() throws Exception {
        try (InputLines input = reading(keyboard.terminal())) {
            for (int i = 0; i < 500; i++) {
                keyboard.types("before\n");
                input.forget();
                int given = lines.size();
                keyboard.types("after\n");
                Await.until("a line", () -> lines.size() > given);
                assertEquals(List.of("after"), lines.subList(given, lines.size()));
                lines.clear();
            }
        }
    }

    @Test
    void theRestOfALineThatHadBegunIsForgottenToo() throws Exception {
        try (InputLines input = reading(keyboard.terminal())) {
            keyboard.types("1");
            Await.until("it to be read", () -> available() == 0);
            input.forget();
            keyboard.types("2\n3\n");
            comes("3");
            keyboard.types("4");
            input.forget();
            keyboard.types("\n5\n");
            comes("3", "5");
        }
    }

    private int available() {
        try {
            return keyboard.terminal().available();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Such an input offers no wait without reading. */
    @Test
    void anInputThatOnlyReadsIsLookedAt() {
        InputStream plain = new ByteArrayInputStream("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
        try (InputLines input = reading(plain)) {
            comes("one", "two");
            assertEquals(1, ended.getCount());
        }
    }
}
