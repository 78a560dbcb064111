package palyra.shared.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * Size, times and identity of a file. A file whose stamp is the same in two reads was, as far as
 * can be told from outside, not written to in between.
 *
 * @param modified when its content was last changed
 * @param changed time of the last change of any kind, which no program can set back; equal to
 *     {@code modified} where the system does not tell
 * @param size in bytes; negative for a stamp of no file
 * @param key identity of the file behind the name; null where the system has none
 */
public record FileStamp(FileTime modified, FileTime changed, long size, Object key) {
    /** No file. */
    public static final FileStamp GONE = special(-1, null);

    /** Returns a stamp that no file has; equal for equal numbers and keys. */
    public static FileStamp special(long size, Object key) {
        FileTime none = FileTime.fromMillis(0);
        return new FileStamp(none, none, size, key);
    }

    /**
     * Looks at a file.
     *
     * @param options whether a link is followed
     */
    public static FileStamp of(Path file, LinkOption... options) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class, options);
        boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
        FileTime changed =
                unix
                        ? (FileTime) Files.getAttribute(file, "unix:ctime", options)
                        : found.lastModifiedTime();
        return new FileStamp(found.lastModifiedTime(), changed, found.size(), found.fileKey());
    }
}
