package palyra.sandbox.internal.git;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What is at the place of a file of git.
 *
 * @param kind what it is
 * @param content of a file; where a link leads; what identifies anything else
 * @param executable whether its owner may execute it
 * @param shared whether it has another name, by which its content can change
 * @param place where it leads, see {@link GitPlaces}; empty when it names no place
 */
@SuppressWarnings("ArrayRecordComponent") // compared by isLike
record GitFile(Kind kind, byte[] content, boolean executable, boolean shared, String place) {
    /** What is there. */
    enum Kind {
        FILE,
        LINK,
        /** A file that is too large to be kept. */
        LARGE,
        OTHER,
        NOTHING
    }

    /** Nothing is there. */
    static final GitFile ABSENT = new GitFile(Kind.NOTHING, new byte[0], false, false);

    /** Creates one that names no place. */
    GitFile(Kind kind, byte[] content, boolean executable, boolean shared) {
        this(kind, content, executable, shared, "");
    }

    /** Returns it with where it leads. */
    GitFile at(String where) {
        return new GitFile(kind, content, executable, shared, where);
    }

    boolean isThere() {
        return kind != Kind.NOTHING;
    }

    boolean isFile() {
        return kind == Kind.FILE;
    }

    /** Whether it leads to where nothing may lead. */
    boolean isForbidden() {
        return GitPlaces.isForbidden(place);
    }

    /**
     * Whether it has the same content, leads to the same place, and is executed in the same cases.
     */
    boolean isLike(GitFile other) {
        return kind == other.kind
                && executable == other.executable
                && place.equals(other.place)
                && Arrays.equals(content, other.content);
    }

    /** Returns the content with one character per byte. */
    String text() {
        return new String(content, StandardCharsets.ISO_8859_1);
    }
}
