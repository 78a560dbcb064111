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
 */
@SuppressWarnings("ArrayRecordComponent") // compared by isLike
record GitFile(Kind kind, byte[] content, boolean executable, boolean shared) {
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

    boolean isThere() {
        return kind != Kind.NOTHING;
    }

    boolean isFile() {
        return kind == Kind.FILE;
    }

    /** Whether it has the same content, and is executed in the same cases. */
    boolean isLike(GitFile other) {
        return kind == other.kind
                && executable == other.executable
                && Arrays.equals(content, other.content);
    }

    /** Returns the content with one character per byte. */
    String text() {
        return new String(content, StandardCharsets.ISO_8859_1);
    }
}
