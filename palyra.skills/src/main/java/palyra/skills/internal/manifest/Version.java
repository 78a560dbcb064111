package palyra.skills.internal.manifest;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.Require;

/**
 * A version {@code x.y.z}, compared number by number.
 *
 * @param major first number
 * @param minor second number
 * @param patch third number
 */
public record Version(int major, int minor, int patch) implements Comparable<Version> {
    /** What a version looks like: no sign, no leading zero, at most nine digits each. */
    public static final String PATTERN =
            "(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})";

    private static final Pattern FORM = Pattern.compile(PATTERN);

    /** Returns the version that a text means; INVALID_ARGUMENT when it means none. */
    public static Version of(String text) {
        Matcher found = FORM.matcher(Require.present(text, "version"));
        Require.that(found.matches(), "'" + text + "' is no version; write x.y.z");
        return new Version(
                Integer.parseInt(found.group(1)),
                Integer.parseInt(found.group(2)),
                Integer.parseInt(found.group(3)));
    }

    @Override
    public int compareTo(Version other) {
        int byMajor = Integer.compare(major, other.major);
        int byMinor = Integer.compare(minor, other.minor);
        return byMajor != 0
                ? byMajor
                : byMinor != 0 ? byMinor : Integer.compare(patch, other.patch);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
