package palyra.skills.internal.manifest;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.Require;

/**
 * A version of Semantic Versioning 2.0.0, ordered by its §11: three numbers, then a pre-release,
 * which comes before the version itself. Build metadata (§10) does not affect the order and is
 * dropped.
 *
 * @param major first number
 * @param minor second number
 * @param patch third number
 * @param preRelease identifiers of the pre-release, in order; empty for a release
 */
public record SemanticVersion(int major, int minor, int patch, List<String> preRelease)
        implements Comparable<SemanticVersion> {
    /** Matches {@code x.y.z}: no sign, no leading zero, at most nine digits for each number. */
    public static final String NUMBERS =
            "(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})";

    private static final String IDENTIFIER = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
    private static final String PRE_RELEASE = IDENTIFIER + "(?:\\." + IDENTIFIER + ")*";

    /** Matches a version of at most 64 characters. */
    public static final String PATTERN =
            "(?=.{5,64}$)"
                    + NUMBERS
                    + "(?:-("
                    + PRE_RELEASE
                    + "))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?";

    private static final Pattern FORM = Pattern.compile(PATTERN);
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final Comparator<SemanticVersion> BY_NUMBERS =
            Comparator.comparingInt(SemanticVersion::major)
                    .thenComparingInt(SemanticVersion::minor)
                    .thenComparingInt(SemanticVersion::patch);

    /** Copies. */
    public SemanticVersion {
        preRelease = List.copyOf(preRelease);
    }

    /** Parses a version; INVALID_ARGUMENT when the text is not one. */
    public static SemanticVersion of(String text) {
        Matcher found = FORM.matcher(Require.present(text, "version"));
        Require.that(
                found.matches(),
                "'" + text + "' is not a version; write x.y.z, or x.y.z-rc.1 for a pre-release");
        String preRelease = found.group(4);
        return new SemanticVersion(
                Integer.parseInt(found.group(1)),
                Integer.parseInt(found.group(2)),
                Integer.parseInt(found.group(3)),
                preRelease == null ? List.of() : List.of(preRelease.split("\\.")));
    }

    @Override
    public int compareTo(SemanticVersion other) {
        int byNumbers = BY_NUMBERS.compare(this, other);
        if (byNumbers != 0) {
            return byNumbers;
        }
        if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
            return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
        }
        return byPreRelease(other.preRelease);
    }

    private int byPreRelease(List<String> others) {
        for (int i = 0; i < Math.min(preRelease.size(), others.size()); i++) {
            int order = byIdentifier(preRelease.get(i), others.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(preRelease.size(), others.size());
    }

    /** Numbers by value and before all else, which goes by ASCII. */
    private static int byIdentifier(String one, String other) {
        boolean number = NUMBER.matcher(one).matches();
        boolean otherNumber = NUMBER.matcher(other).matches();
        if (number != otherNumber) {
            return number ? -1 : 1;
        }
        boolean byLength = number && one.length() != other.length(); // without leading zeros
        return byLength ? Integer.compare(one.length(), other.length()) : one.compareTo(other);
    }

    /** Returns the version without build metadata. */
    @Override
    public String toString() {
        return major
                + "."
                + minor
                + "."
                + patch
                + (preRelease.isEmpty() ? "" : "-" + String.join(".", preRelease));
    }
}
