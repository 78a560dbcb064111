package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import palyra.shared.confine.FolderIdentity;

/**
 * Removes what earlier versions left in a workspace: empty files and folders. All operations are
 * relative to open folders, see openat(2): the workspace must still be the same folder, and links
 * in it are not followed. Thread-safe.
 *
 * @param workspace identity of the folder
 */
record WorkspaceFiles(FolderIdentity workspace) {
    /** Name of the file by which git finds the folder that work trees share. */
    private static final String COMMON_FOLDER = "commondir";

    /** Content that means that a repository shares nothing, git's default without the file. */
    private static final byte[] ITSELF = {'.', '\n'};

    private interface Work {
        void in(SecureDirectoryStream<Path> folder, Path name) throws IOException;
    }

    /** Removes a file or folder that is empty or was made here; others stay. */
    void remove(Path path) {
        try {
            inFolderOf(path, WorkspaceFiles::removeEmpty);
        } catch (IOException e) {
            // already gone, or replaced: leave it
        }
    }

    private void inFolderOf(Path path, Work work) throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(workspace.path())) {
            if (stream instanceof SecureDirectoryStream<Path> folder
                    && Objects.equals(key(folder), workspace.key())) {
                below(folder, workspace.path().relativize(path), work);
            } else {
                throw new IOException(workspace.path() + " is not the workspace that it was");
            }
        }
    }

    private static Object key(SecureDirectoryStream<Path> folder) throws IOException {
        return folder.getFileAttributeView(BasicFileAttributeView.class).readAttributes().fileKey();
    }

    private static void below(SecureDirectoryStream<Path> folder, Path path, Work work)
            throws IOException {
        Path name = path.getName(0);
        if (path.getNameCount() == 1) {
            work.in(folder, name);
            return;
        }
        try (SecureDirectoryStream<Path> below =
                folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            below(below, path.subpath(1, path.getNameCount()), work);
        }
    }

    private static void removeEmpty(SecureDirectoryStream<Path> folder, Path name)
            throws IOException {
        BasicFileAttributes found =
                folder.getFileAttributeView(
                                name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes();
        if (found.isDirectory()) {
            folder.deleteDirectory(name); // only when it is empty
        } else if (found.isRegularFile() && (found.size() == 0 || isItself(folder, name, found))) {
            folder.deleteFile(name);
        }
    }

    /** Returns whether a file, which is no link, says that a repository shares nothing. */
    static boolean isItself(Path file, long size) throws IOException {
        return file.endsWith(COMMON_FOLDER)
                && size == ITSELF.length
                && Arrays.equals(Files.readAllBytes(file), ITSELF);
    }

    private static boolean isItself(
            SecureDirectoryStream<Path> folder, Path name, BasicFileAttributes found)
            throws IOException {
        if (!name.endsWith(COMMON_FOLDER) || found.size() != ITSELF.length) {
            return false;
        }
        try (SeekableByteChannel file =
                folder.newByteChannel(
                        name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            ByteBuffer content = ByteBuffer.allocate(ITSELF.length);
            file.read(content);
            return Arrays.equals(content.array(), ITSELF);
        }
    }
}
