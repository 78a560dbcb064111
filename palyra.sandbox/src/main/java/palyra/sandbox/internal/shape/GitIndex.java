package palyra.sandbox.internal.shape;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Whether the index of a repository holds files alone and no other repository, into which git would
 * go to run itself with that repository's configuration. Reads versions 2 and 3 of the format in
 * gitformat-index(5); any other, and an index that is kept in parts, counts as not flat.
 */
final class GitIndex {
    private static final int SIGNATURE = 0x44495243; // DIRC
    private static final int MOST_BYTES = 64 << 20;
    private static final int TRAILER = 20; // SHA-1, the least that may follow
    private static final int MODE_AT = 24;
    private static final int FLAGS_AT = 60;
    private static final int KIND = 0170000;
    private static final int LINK_TO_COMMIT = 0160000;
    private static final int EXTENDED = 0x4000;
    private static final int NAME_LENGTH = 0xfff;

    private final ByteBuffer bytes;

    private GitIndex(byte[] content) {
        this.bytes = ByteBuffer.wrap(content);
    }

    /** Returns whether an index is flat; one that is not there is. */
    static boolean isFlat(Path repository) throws IOException {
        Path index = repository.resolve("index");
        if (!Files.exists(index, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        try (InputStream in = Files.newInputStream(index, LinkOption.NOFOLLOW_LINKS)) {
            byte[] content = in.readNBytes(MOST_BYTES + 1);
            return content.length <= MOST_BYTES && new GitIndex(content).isFlat();
        } catch (IndexOutOfBoundsException e) {
            return false; // cut off: not understood
        }
    }

    private boolean isFlat() {
        int version = bytes.getInt(4);
        if (bytes.getInt(0) != SIGNATURE || (version != 2 && version != 3)) {
            return false;
        }
        int at = 12;
        for (int left = bytes.getInt(8); left > 0; left--) {
            if ((bytes.getInt(at + MODE_AT) & KIND) == LINK_TO_COMMIT) {
                return false;
            }
            boolean extended = (bytes.getShort(at + FLAGS_AT) & EXTENDED) != 0;
            int end = at + FLAGS_AT + (extended ? 4 : 2);
            while (bytes.get(end) != 0) {
                end++;
            }
            int name = end - at - FLAGS_AT - (extended ? 4 : 2);
            int said = bytes.getShort(at + FLAGS_AT) & NAME_LENGTH; // git goes by it
            if (said != Math.min(name, NAME_LENGTH)) {
                return false;
            }
            at += (end - at + 8) / 8 * 8; // 1 to 8 NULs
        }
        return hasNoOtherPart(at);
    }

    /** Extensions follow, each with a name of four letters and a length. */
    private boolean hasNoOtherPart(int from) {
        int at = from;
        while (at + TRAILER < bytes.capacity()) {
            int length = bytes.getInt(at + 4);
            boolean optional = Character.isUpperCase(bytes.get(at));
            if (!optional || length < 0) {
                return false; // such as "link", a split index
            }
            at += 8 + length;
        }
        return true;
    }
}
