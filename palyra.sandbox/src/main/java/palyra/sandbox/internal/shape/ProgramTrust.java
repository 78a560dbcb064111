package palyra.sandbox.internal.shape;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Set;

/**
 * Whether a program is one that only the administrator of this machine can change. Thread-safe.
 *
 * @param owners numeric ids of the users whose programs are trusted
 */
public record ProgramTrust(Set<Long> owners) {
    private static final int GROUP_OR_OTHERS_WRITE = 0022;

    /** Trusts the programs of root alone. */
    public static final ProgramTrust ROOT = new ProgramTrust(Set.of(0L));

    /** Copies. */
    public ProgramTrust {
        owners = Set.copyOf(owners);
    }

    /** Returns whether a file, by its real path, is trusted; what cannot be looked at is not. */
    boolean trusts(String program) {
        try {
            Path path = Path.of(program);
            long owner = Integer.toUnsignedLong((Integer) attribute(path, "uid"));
            int mode = (Integer) attribute(path, "mode");
            return owners.contains(owner) && (mode & GROUP_OR_OTHERS_WRITE) == 0;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    private static Object attribute(Path path, String name) throws IOException {
        return Files.getAttribute(path, "unix:" + name, LinkOption.NOFOLLOW_LINKS);
    }
}
