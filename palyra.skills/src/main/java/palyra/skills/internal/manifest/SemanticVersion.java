package palyra.skills.internal.manifest;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.Require;

/**
 * A version as Semantic Versioning 2.0.0 has it, in the order of its §11: three numbers, then a
 * pre-release, which comes before the version itself. Build metadata (§10) says nothing about the
 * order and is left out.
 *
 * @param core the three numbers
 * @param preRelease identifiers of the pre-release, in order; empty for none
 */
public record SemanticVersion(Version core, List<String> preRelease)
        implements Comparable<SemanticVersion> {
    private static final String IDENTIFIER = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
    private static final String PRE_RELEASE = IDENTIFIER + "(?:\\." + IDENTIFIER + ")*";

    /** What one looks like; at most 64 characters. */
    public static final String PATTERN =
            "(?=.{5,64}$)("
                    + Version.PATTERN
                    + ")(?:-("
                    + PRE_RELEASE
                    + "))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?";

    private static final Pattern FORM = Pattern.compile(PATTERN);
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final int PRE_RELEASE_GROUP = 5; // the core has three groups of its own

    /** Copies. */
    public SemanticVersion {
        Require.present(core, "version");
        preRelease = List.copyOf(preRelease);
    }

    /** Returns the version that a text means; INVALID_ARGUMENT when it means none. */
    public static SemanticVersion of(String text) {
        Matcher found = FORM.matcher(Require.present(text, "version"));
        Require.that(
                found.matches(),
                "'" + text + "' is no version; write x.y.z, or x.y.z-rc.1 for a pre-release");
        String preRelease = found.group(PRE_RELEASE_GROUP);
        return new SemanticVersion(
                Version.of(found.group(1)),
                preRelease == null ? List.of() : List.of(preRelease.split("\\.")));
    }

    @Override
    public int compareTo(SemanticVersion other) {
        int byCore = core.compareTo(other.core);
        if (byCore != 0) {
            return byCore;
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

    /** Returns it as it is written, without build metadata. */
    @Override
    public String toString() {
        return core + (preRelease.isEmpty() ? "" : "-" + String.join(".", preRelease));
    }
}
