package palyra.transport.openai.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.testing.wait.Await;

@Timeout(60)
class EventStreamTest {
    private final OpenCall call = new OpenCall(() -> {});

    private static void quietly(EventStream stream) {
        try {
            stream.write();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void writesWhatIsInAndEnds() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        EventStream stream = new EventStream(call, out, 60_000);
        stream.put("", "{}");
        stream.put("a", "1");
        stream.close();
        stream.put("", "late");
        stream.write();
        assertEquals("data: {}\n\nevent: a\ndata: 1\n\n", out.toString(StandardCharsets.UTF_8));
        assertTrue(stream.isWritten());
        assertFalse(stream.hasLeft());
    }

    @Test
    void holdsBackWhatAClientDoesNotReadAndLetsGoWhenItIsGone() throws Exception {
        OutputStream full =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("the client is gone");
                    }
                };
        EventStream stream = new EventStream(call, full, 60_000);
        stream.put("", "x".repeat(EventStream.MOST_BYTES + 1));
        Thread held =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        stream.awaitRoom();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        Await.until(
                "the reader of the run to be held",
                Duration.ofSeconds(30),
                () -> held.getState() == Thread.State.WAITING);
        quietly(stream);
        held.join();
        assertTrue(stream.hasLeft());
        assertFalse(stream.isWritten());
        assertEquals("The client disconnected.", call.ended().orElseThrow());
        stream.awaitRoom(); // at once
    }
}
