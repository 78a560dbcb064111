package palyra.shell.internal.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.testing.wait.Await;

/** How input waits for its command. */
@Timeout(60)
class InputPipeTest {
    private static final int PIECE = 1 << 20;

    private final InputPipe pipe = new InputPipe();
    private volatile Thread feeder;

    /** Puts {@code count} pieces and the end, on a thread of its own. */
    private CompletableFuture<Void> feed(int count) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        feeder =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        for (int i = 0; i < count; i++) {
                                            pipe.put(new byte[PIECE]);
                                        }
                                        pipe.put(new byte[0]);
                                        done.complete(null);
                                    } catch (InterruptedException e) {
                                        done.completeExceptionally(e);
                                    }
                                });
        return done;
    }

    /** A busy machine may start a command after more input came than is held. */
    @Test
    void waitsForACommandThatAsksLate() throws Exception {
        CompletableFuture<Void> fed = feed(12);
        Await.until("the reader waits", () -> feeder.getState() == Thread.State.TIMED_WAITING);
        InputStream stream = pipe.stream();
        assertEquals(12L * PIECE, stream.transferTo(OutputStream.nullOutputStream()));
        fed.get(10, TimeUnit.SECONDS);
    }

    /** Otherwise a signal behind the input would not be heard. */
    @Test
    void refusesInputThatNothingAsksFor() throws Exception {
        feed(12).get(30, TimeUnit.SECONDS);
        InputStream stream = pipe.stream();
        assertEquals(4L * PIECE, stream.readNBytes(4 * PIECE).length);
        IOException refused = assertThrows(IOException.class, stream::read);
        assertTrue(refused.getMessage().contains("before they were asked for"));
    }

    @Test
    void endsTheWaitWhenTheCommandIsOver() throws Exception {
        CompletableFuture<Void> fed = feed(12);
        Await.until("the reader waits", () -> feeder.getState() == Thread.State.TIMED_WAITING);
        pipe.abandon();
        fed.get(4, TimeUnit.SECONDS);
    }
}
