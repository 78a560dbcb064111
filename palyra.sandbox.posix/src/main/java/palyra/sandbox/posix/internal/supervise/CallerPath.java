package palyra.sandbox.posix.internal.supervise;

import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resolves paths that would lead elsewhere for the supervisor: {@code /proc/self} names the
 * descriptors of the reading process. Older C libraries name an open file that way to change its
 * mode. Stateless.
 */
final class CallerPath {
    private static final Pattern OWN =
            Pattern.compile(
                    "/proc/(?:self|thread-self|([0-9]{1,9})(?:/task/[0-9]{1,9})?)/fd/([0-9]{1,9})");

    private CallerPath() {}

    /**
     * Returns the number of the caller's descriptor that a path is another name of; empty for every
     * other path.
     *
     * @param caller says whether a process is the caller's
     */
    static OptionalInt descriptor(byte[] path, IntPredicate caller) {
        Matcher match = OWN.matcher(new String(path, StandardCharsets.ISO_8859_1));
        if (!match.matches()) {
            return OptionalInt.empty();
        }
        boolean own = match.group(1) == null || caller.test(Integer.parseInt(match.group(1)));
        return own ? OptionalInt.of(Integer.parseInt(match.group(2))) : OptionalInt.empty();
    }
}
