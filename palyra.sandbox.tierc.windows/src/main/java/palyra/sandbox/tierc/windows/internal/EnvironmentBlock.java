package palyra.sandbox.tierc.windows.internal;

import java.util.Map;
import java.util.TreeMap;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * The environment as CreateProcessW wants it: {@code NAME=value} strings, sorted without regard to
 * case, each ended by a NUL, one more NUL at the end.
 */
final class EnvironmentBlock {
    private EnvironmentBlock() {}

    /**
     * Returns the block.
     *
     * @param given variables of the request
     * @param system variables that the sandbox sets; they take precedence, names compared without
     *     case
     */
    static String of(Map<String, String> given, Map<String, String> system) {
        Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        given.forEach((name, value) -> put(all, name, value));
        system.forEach(
                (name, value) -> {
                    all.remove(name); // a map keeps the first spelling of a name
                    put(all, name, value);
                });
        StringBuilder block = new StringBuilder();
        all.forEach((name, value) -> block.append(name).append('=').append(value).append('\0'));
        if (all.isEmpty()) {
            block.append('\0');
        }
        return block.append('\0').toString();
    }

    private static void put(Map<String, String> all, String name, String value) {
        if (name.isEmpty()
                || name.indexOf('=') >= 0
                || name.indexOf('\0') >= 0
                || value.indexOf('\0') >= 0) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The variable '" + name + "' cannot be set for a command; rename it.");
        }
        all.put(name, value);
    }
}
