package palyra.sandbox.internal.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Links of the file system as one examination sees them, each looked at once. A name that this JVM
 * cannot express in its locale counts as no link. Not thread-safe.
 */
final class LinkCache {
    private static final int MAX_LOOKS = 20_000;

    private final Map<String, Optional<String>> seen = new HashMap<>();
    private boolean exhausted;

    /**
     * Returns where the link at an absolute path leads, as it is written there; empty when there is
     * none, and for every name beyond a number of them.
     */
    Optional<String> target(String path) {
        Optional<String> known = seen.get(path);
        if (known == null) {
            if (seen.size() >= MAX_LOOKS) {
                exhausted = true;
                return Optional.empty();
            }
            known = look(path);
            seen.put(path, known);
        }
        return known;
    }

    /** Returns why not every name was looked at; empty when all were. */
    Optional<String> exhausted() {
        return exhausted
                ? Optional.of("The arguments name more than " + MAX_LOOKS + " paths; name fewer.")
                : Optional.empty();
    }

    private static Optional<String> look(String path) {
        try {
            Path at = Path.of(path);
            return Files.isSymbolicLink(at)
                    ? Optional.of(Files.readSymbolicLink(at).toString())
                    : Optional.empty();
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Whether anything is at an absolute path, a link included. */
    static boolean exists(String path) {
        try {
            return Files.exists(Path.of(path), LinkOption.NOFOLLOW_LINKS);
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
