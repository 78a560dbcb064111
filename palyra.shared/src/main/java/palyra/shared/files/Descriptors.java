package palyra.shared.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the file descriptors of the process are divided. A quarter may become connections of gRPC and
 * an eighth connections of HTTP; the rest, more than half, is a reserve that no client can use up:
 * for the journal, policies, jars, logs, processes and connections to the world outside.
 * Thread-safe.
 */
public final class Descriptors {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern OPEN_FILES = Pattern.compile("Max open files\\s+(\\d+)\\s.*");
    private static final int GRPC_SHARE = 4;
    private static final int HTTP_SHARE = 8;

    private Descriptors() {}

    /** Returns how many descriptors this process may have open; empty when that is not known. */
    public static OptionalLong limit() {
        return limit(LIMITS);
    }

    static OptionalLong limit(Path limits) {
        try {
            return Files.readString(limits)
                    .lines()
                    .map(OPEN_FILES::matcher)
                    .filter(Matcher::matches)
                    .mapToLong(line -> Long.parseLong(line.group(1)))
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns the most connections of gRPC for this many descriptors; at least 2. */
    public static long forGrpc(long descriptors) {
        return Math.max(2, descriptors / GRPC_SHARE);
    }

    /** Returns the most connections of HTTP for this many descriptors; at least 2. */
    public static long forHttp(long descriptors) {
        return Math.max(2, descriptors / HTTP_SHARE);
    }
}
