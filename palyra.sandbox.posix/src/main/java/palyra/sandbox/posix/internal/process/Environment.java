package palyra.sandbox.posix.internal.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.sandbox.posix.internal.libc.Descriptors;

/** Turns the environment of a plan into what the kernel gets. */
final class Environment {
    private static final Set<String> STEERS_SHELLS =
            Set.of("SHELLOPTS", "BASHOPTS", "BASH_ENV", "ENV", Mark.VARIABLE);

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private Environment() {}

    /**
     * Returns {@code NAME=value} in bytes, sorted by name, with the mark.
     *
     * @throws PalyraException INVALID_ARGUMENT for a name that a shell would drop or obey
     */
    static List<byte[]> of(Map<String, String> variables, Mark mark) {
        List<byte[]> all = new ArrayList<>();
        for (Map.Entry<String, String> variable : new TreeMap<>(variables).entrySet()) {
            String name = variable.getKey();
            if (!NAME.matcher(name).matches() || STEERS_SHELLS.contains(name)) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "The environment variable '"
                                + name
                                + "' cannot be passed to a command: use letters, digits and _,"
                                + " and none that changes how shells work.");
            }
            all.add(
                    Descriptors.bytes(
                            name + "=" + variable.getValue(), "The environment variable " + name));
        }
        all.add(Descriptors.bytes(Mark.VARIABLE + "=" + mark.text(), "The mark of the call"));
        return all;
    }
}
