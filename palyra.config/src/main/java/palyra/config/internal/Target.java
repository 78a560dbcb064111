package palyra.config.internal;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A PID, or one named instance of a factory PID.
 *
 * @param pid PID or factory PID
 * @param name name of the instance; empty for a singleton
 */
record Target(String pid, String name) implements Comparable<Target> {
    private static final String SUFFIX = ".json";
    private static final int MAX_LENGTH = 200;
    private static final Pattern TEXT =
            Pattern.compile("([A-Za-z0-9][A-Za-z0-9._-]*)(?:~([A-Za-z0-9][A-Za-z0-9._-]*))?");

    /** Returns the target of a file name; empty when the name is not PID.json or PID~NAME.json. */
    static Optional<Target> ofFileName(String fileName) {
        return fileName.endsWith(SUFFIX)
                ? parse(fileName.substring(0, fileName.length() - SUFFIX.length()))
                : Optional.empty();
    }

    /** Reads {@code pid} or {@code pid~name}. */
    static Optional<Target> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (text.length() > MAX_LENGTH || !matcher.matches()) {
            return Optional.empty();
        }
        String name = matcher.group(2);
        return Optional.of(new Target(matcher.group(1), name == null ? "" : name));
    }

    boolean isInstance() {
        return !name.isEmpty();
    }

    String fileName() {
        return this + SUFFIX;
    }

    @Override
    public int compareTo(Target other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return name.isEmpty() ? pid : pid + "~" + name;
    }
}
