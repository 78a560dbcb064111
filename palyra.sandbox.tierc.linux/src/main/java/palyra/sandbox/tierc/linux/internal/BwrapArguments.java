package palyra.sandbox.tierc.linux.internal;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import palyra.shared.confine.Refusals;

/**
 * Options of bubblewrap as {@code --args} reads them, each ended by a NUL. They do not appear in a
 * command line, so a command inside does not learn from {@code /proc/1/cmdline} how it is confined.
 */
final class BwrapArguments {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Adds words; one with a NUL inside would be read as two and is refused. */
    BwrapArguments add(String... words) {
        for (String word : words) {
            if (word.indexOf('\0') >= 0) {
                throw Refusals.invalid("A path or variable of the sandbox holds a NUL character.");
            }
            bytes.writeBytes(word.getBytes(StandardCharsets.UTF_8));
            bytes.write(0);
        }
        return this;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }
}
