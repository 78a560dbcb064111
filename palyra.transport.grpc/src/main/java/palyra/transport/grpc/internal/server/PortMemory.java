package palyra.transport.grpc.internal.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which port was taken when any free one would do, so that clients find it again after a restart of
 * the server or an update of the bundle. The next start of the process knows nothing of it.
 */
public final class PortMemory {
    private static final Logger LOG = LoggerFactory.getLogger(PortMemory.class);
    private static final Pattern FORM = Pattern.compile("(\\S+) ([1-9][0-9]{0,4})\n");
    private static final int HIGHEST = 65_535;

    private final Path file;
    private final String bootId;

    /**
     * Remembers in a file.
     *
     * @param bootId of this start of the process; without a space
     */
    public PortMemory(Path file, String bootId) {
        this.file = file;
        this.bootId = bootId;
    }

    /** Returns the port that this start of the process had last; empty when there was none. */
    OptionalInt port() {
        try {
            Matcher found = FORM.matcher(Files.readString(file));
            if (!found.matches() || !found.group(1).equals(bootId)) {
                return OptionalInt.empty();
            }
            int port = Integer.parseInt(found.group(2));
            return port > HIGHEST ? OptionalInt.empty() : OptionalInt.of(port);
        } catch (NoSuchFileException e) {
            return OptionalInt.empty();
        } catch (IOException e) {
            LOG.warn("{} cannot be read, so gRPC takes any free port: {}.", file, e.toString());
            return OptionalInt.empty();
        }
    }

    /** Remembers the port. Without success an update moves the server, which is said in the log. */
    void keep(int port) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, bootId + " " + port + "\n");
        } catch (IOException e) {
            LOG.warn(
                    "{} cannot be written, so after an update gRPC listens elsewhere than at port"
                            + " {}: {}.",
                    file,
                    port,
                    e.toString());
        }
    }
}
