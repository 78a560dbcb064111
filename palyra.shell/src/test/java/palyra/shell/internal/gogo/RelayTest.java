package palyra.shell.internal.gogo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;
import palyra.testing.wait.Await;

/** What a command writes waits for its reader, bounded in bytes however much it writes at once. */
class RelayTest {
    @Test
    void oneLargeWriteWaitsForItsReader() throws Exception {
        byte[] large = new byte[4 << 20];
        large[large.length - 1] = 7;
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        Relay relay = new Relay();
        OutputStream out = relay.to(target);
        Thread command =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        out.write(large);
                                    } catch (IOException e) {
                                        throw new UncheckedIOException(e);
                                    }
                                    relay.end();
                                });
        Await.until("the command to wait", () -> command.getState() == Thread.State.WAITING);
        assertTrue(command.isAlive());
        while (!relay.carry(100)) {
            // more comes
        }
        Await.ended(command);
        assertArrayEquals(large, target.toByteArray());
    }
}
