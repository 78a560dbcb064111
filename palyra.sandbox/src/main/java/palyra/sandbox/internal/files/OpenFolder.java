package palyra.sandbox.internal.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * A folder of the workspace, held open. All operations use the open folder (openat(2) and its
 * like), even if its name changes meanwhile; links are never followed. Not thread-safe.
 */
final class OpenFolder implements Closeable {
    private static final int MAX_ENTRIES = 100_000;

    private final SecureDirectoryStream<Path> stream;

    private OpenFolder(SecureDirectoryStream<Path> stream) {
        this.stream = stream;
    }

    /**
     * Opens a workspace, and makes sure that it is the folder that is there and not what a link in
     * its place leads to. Only the gateway's user can exchange the folders above it.
     *
     * @throws PalyraException DENIED when a link or another folder is there now, TOOL_UNAVAILABLE
     *     on a system without such calls
     */
    @SuppressWarnings("StreamResourceLeak") // the folder that is returned closes it
    static OpenFolder workspace(Path workspace) throws IOException {
        BasicFileAttributes wanted =
                Files.readAttributes(
                        workspace, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        DirectoryStream<Path> stream = Files.newDirectoryStream(workspace);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            OpenFolder opened = new OpenFolder(secure);
            if (wanted.isDirectory() && opened.key().equals(wanted.fileKey())) {
                return opened;
            }
            opened.close();
            throw exchanged(workspace);
        }
        stream.close();
        throw new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE,
                "This system cannot open files relative to an open folder, so the file tools would"
                        + " not be safe here; use the process tool in a sandbox.");
    }

    static PalyraException exchanged(Path workspace) {
        return new PalyraException(
                ErrorCode.DENIED,
                "The workspace "
                        + workspace
                        + " was replaced by a link or another folder. Nothing was done.");
    }

    /** Opens the folder at a path below the workspace. */
    static OpenFolder at(Path workspace, BeneathPath path) throws IOException, FileRefusal {
        try (OpenFolder top = workspace(workspace)) {
            return top.at(path);
        }
    }

    /** Opens the folder at a path below this one; this one again for no names at all. */
    OpenFolder at(BeneathPath path) throws IOException, FileRefusal {
        OpenFolder folder = again();
        BeneathPath done = new BeneathPath(List.of());
        for (String name : path.names()) {
            done = done.child(name);
            try (OpenFolder above = folder) {
                folder = above.child(name, done);
            }
        }
        return folder;
    }

    /** Opens this folder once more, to be closed apart from it. */
    OpenFolder again() throws IOException {
        return new OpenFolder(stream.newDirectoryStream(Path.of("."), LinkOption.NOFOLLOW_LINKS));
    }

    /** Returns device and inode. */
    Object key() throws IOException {
        return view(".").readAttributes().fileKey();
    }

    /** Opens a folder in this one; {@code shown} names it in refusals. */
    OpenFolder child(String name, BeneathPath shown) throws IOException, FileRefusal {
        PosixFileAttributes found = attributes(name).orElseThrow(() -> notFound(shown.toString()));
        if (!found.isDirectory()) {
            throw wrongKind(shown.toString(), found, "folder");
        }
        try {
            return new OpenFolder(
                    stream.newDirectoryStream(FileName.path(name), LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            throw notFound(shown.toString());
        }
    }

    /** Opens a regular file for reading. */
    SeekableByteChannel read(String name, BeneathPath shown) throws IOException, FileRefusal {
        PosixFileAttributes found = attributes(name).orElseThrow(() -> notFound(shown.toString()));
        if (!found.isRegularFile()) {
            throw wrongKind(shown.toString(), found, "regular file");
        }
        return stream.newByteChannel(
                FileName.path(name), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    /** Makes a file that must not be there yet and opens it for writing. */
    SeekableByteChannel create(String name, Set<PosixFilePermission> mode) throws IOException {
        FileAttribute<Set<PosixFilePermission>> attribute =
                PosixFilePermissions.asFileAttribute(mode);
        SeekableByteChannel channel =
                stream.newByteChannel(
                        FileName.path(name),
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS),
                        attribute);
        view(name).setPermissions(mode); // what the umask took
        return channel;
    }

    /** Opens the folder itself, to have its entries written to the medium. */
    SeekableByteChannel self() throws IOException {
        return stream.newByteChannel(Path.of("."), Set.of(StandardOpenOption.READ));
    }

    /**
     * Returns the attributes of an entry, without following links; empty when it does not exist.
     */
    Optional<PosixFileAttributes> attributes(String name) throws IOException {
        try {
            return Optional.of(view(name).readAttributes());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private PosixFileAttributeView view(String name) throws IOException {
        return stream.getFileAttributeView(
                FileName.path(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Moves an entry of this folder to another folder in one step; a file there is replaced. */
    void move(String name, OpenFolder to, String newName) throws IOException {
        stream.move(FileName.path(name), to.stream, FileName.path(newName));
    }

    void deleteFile(String name) throws IOException {
        stream.deleteFile(FileName.path(name));
    }

    void deleteFolder(String name) throws IOException {
        stream.deleteDirectory(FileName.path(name));
    }

    /** Returns the names of all entries, sorted; may be called once. */
    List<String> names() throws IOException, FileRefusal {
        List<String> names = new ArrayList<>();
        try {
            for (Path entry : stream) {
                if (names.size() >= MAX_ENTRIES) {
                    throw new FileRefusal(
                            FileRefusal.KIND,
                            "A folder has more than " + MAX_ENTRIES + " entries; ask for another.");
                }
                names.add(FileName.of(entry.getFileName()));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        names.sort(null);
        return names;
    }

    static FileRefusal notFound(String shown) {
        return new FileRefusal(
                FileRefusal.NOT_FOUND,
                "There is no '"
                        + FileRefusal.shown(shown)
                        + "' in the workspace; list its folder.");
    }

    static FileRefusal wrongKind(String shown, PosixFileAttributes found, String wanted) {
        boolean link = found.isSymbolicLink();
        return new FileRefusal(
                link ? FileRefusal.LINK : FileRefusal.KIND,
                "'"
                        + FileRefusal.shown(shown)
                        + "' is "
                        + (link
                                ? "a symbolic link, which is not followed here"
                                : found.isDirectory() ? "a folder" : "not a " + wanted)
                        + "; name a "
                        + wanted
                        + ".");
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
