package palyra.sandbox.internal.git;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/**
 * A folder of a workspace, held open: another command may exchange its name for a link meanwhile,
 * and what is read or put back must be in this folder. Links are never followed. Not thread-safe.
 */
final class GitFolder implements Closeable {
    /** Most entries of a folder that are looked at. */
    static final int MOST_ENTRIES = 10_000;

    private static final int MOST_COPIED = 64 << 20;

    private static final int NUMBERED = 20;
    private static final Set<PosixFilePermission> EXECUTABLE =
            EnumSet.of(
                    PosixFilePermission.OWNER_EXECUTE,
                    PosixFilePermission.GROUP_EXECUTE,
                    PosixFilePermission.OTHERS_EXECUTE);

    private final SecureDirectoryStream<Path> stream;
    private final Path path;

    private GitFolder(SecureDirectoryStream<Path> stream, Path path) {
        this.stream = stream;
        this.path = path;
    }

    /**
     * Opens a folder.
     *
     * @param relative from the workspace; empty for the workspace
     * @throws NoSuchFileException when it is not there
     * @throws NotDirectoryException when a link or something else is there
     */
    @SuppressWarnings("StreamResourceLeak") // the folder that is returned closes it
    static GitFolder open(Path workspace, String relative) throws IOException {
        DirectoryStream<Path> top = Files.newDirectoryStream(workspace);
        if (!(top instanceof SecureDirectoryStream<Path> secure)) {
            top.close();
            throw new IOException("this system cannot open files relative to an open folder");
        }
        GitFolder folder = new GitFolder(secure, workspace);
        if (!relative.isEmpty()) {
            for (String name : relative.split("/")) {
                try (GitFolder above = folder) {
                    folder = above.child(name);
                }
            }
        }
        return folder;
    }

    private GitFolder child(String name) throws IOException {
        PosixFileAttributes found =
                attributes(name).orElseThrow(() -> new NoSuchFileException(path + "/" + name));
        if (!found.isDirectory()) {
            throw new NotDirectoryException(path + "/" + name);
        }
        return new GitFolder(
                stream.newDirectoryStream(GitPaths.path(name), LinkOption.NOFOLLOW_LINKS),
                path.resolve(GitPaths.path(name)));
    }

    /** Returns the names of its entries, one more than the most at most; may be called once. */
    List<String> names() throws IOException {
        return names(any -> true, MOST_ENTRIES + 1);
    }

    /** Returns so many names of its entries that are wanted; it or the other may be called once. */
    List<String> names(Predicate<String> wanted, int most) throws IOException {
        List<String> names = new ArrayList<>();
        try {
            for (Path entry : stream) {
                String name = GitPaths.name(entry.getFileName());
                if (wanted.test(name)) {
                    names.add(name);
                }
                if (names.size() >= most) {
                    break;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    Optional<PosixFileAttributes> attributes(String name) throws IOException {
        try {
            return Optional.of(view(name).readAttributes());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private PosixFileAttributeView view(String name) {
        return stream.getFileAttributeView(
                GitPaths.path(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns device and inode. */
    String key() throws IOException {
        return String.valueOf(view(".").readAttributes().fileKey());
    }

    /**
     * Reads what is at a name.
     *
     * @param most bytes that are kept
     */
    GitFile read(String name, int most) throws IOException {
        Optional<PosixFileAttributes> found = attributes(name);
        if (found.isEmpty()) {
            return GitFile.ABSENT;
        }
        PosixFileAttributes file = found.get();
        boolean executable = isExecutable(file);
        if (file.isSymbolicLink()) {
            String target =
                    GitPaths.text(Files.readSymbolicLink(path.resolve(GitPaths.path(name))));
            return new GitFile(GitFile.Kind.LINK, bytes(target), executable, false);
        }
        if (!file.isRegularFile()) {
            return new GitFile(GitFile.Kind.OTHER, bytes(file.fileKey()), executable, false);
        }
        boolean shared = links(name) > 1;
        if (file.size() > most) {
            String what = file.fileKey() + " " + file.size() + " " + changed(name);
            return new GitFile(GitFile.Kind.LARGE, bytes(what), executable, shared);
        }
        return new GitFile(GitFile.Kind.FILE, content(name, most), executable, shared);
    }

    /** Git executes a file when any user may, as its own user may be another one. */
    private static boolean isExecutable(PosixFileAttributes file) {
        return !Collections.disjoint(file.permissions(), EXECUTABLE);
    }

    /** Returns whether something at a name is executable. */
    boolean isExecutable(String name) throws IOException {
        return attributes(name).filter(GitFolder::isExecutable).isPresent();
    }

    /** Returns what identifies the folder, as a file of which nothing else is known. */
    GitFile whole() throws IOException {
        return new GitFile(GitFile.Kind.OTHER, bytes(key()), false, false);
    }

    /** Returns the time of the last change, which no command can set back. */
    private Object changed(String name) throws IOException {
        return Files.getAttribute(
                path.resolve(GitPaths.path(name)), "unix:ctime", LinkOption.NOFOLLOW_LINKS);
    }

    private static byte[] bytes(Object text) {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private int links(String name) throws IOException {
        return (Integer)
                Files.getAttribute(
                        path.resolve(GitPaths.path(name)), "unix:nlink", LinkOption.NOFOLLOW_LINKS);
    }

    /** Opens a file to be read. */
    SeekableByteChannel content(String name) throws IOException {
        return stream.newByteChannel(
                GitPaths.path(name), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    private byte[] content(String name, int most) throws IOException {
        try (SeekableByteChannel file = content(name)) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            ByteBuffer part = ByteBuffer.allocate(8_192);
            while (content.size() <= most && file.read(part) >= 0) {
                content.write(part.array(), 0, part.position());
                part.clear();
            }
            return content.toByteArray();
        }
    }

    private static String random() {
        return Long.toHexString(ThreadLocalRandom.current().nextLong());
    }

    /** Puts a file at a name, in one step, in place of what is there. */
    void write(String name, byte[] content, boolean executable) throws IOException {
        mayBeWritten();
        String made = ".palyra-" + random();
        Set<PosixFilePermission> mode =
                PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--");
        try (SeekableByteChannel file =
                stream.newByteChannel(
                        Path.of(made),
                        Set.of(
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.WRITE,
                                LinkOption.NOFOLLOW_LINKS),
                        PosixFilePermissions.asFileAttribute(mode))) {
            ByteBuffer all = ByteBuffer.wrap(content);
            while (all.hasRemaining()) {
                file.write(all);
            }
        }
        view(made).setPermissions(mode);
        stream.move(Path.of(made), stream, GitPaths.path(name));
    }

    /**
     * Sets what is at a name aside, in place of a file that was set aside before. A link is
     * removed: under another name it would lead there, too.
     */
    void setAside(String name) throws IOException {
        if (removeLink(name)) {
            return;
        }
        String aside = name + Quarantine.SUFFIX;
        boolean replaces = isFile(name) && isFile(aside);
        if (replaces) {
            mayBeWritten();
            stream.move(GitPaths.path(name), stream, GitPaths.path(aside));
        } else {
            rename(name, aside);
        }
    }

    /** Sets a file aside; returns false when no file is there any more. */
    boolean setAsideFile(String name) throws IOException {
        if (!isFile(name)) {
            return false;
        }
        setAside(name);
        return true;
    }

    /** Removes a link of this folder; returns false when it is gone. */
    boolean removeLink(String name) throws IOException {
        return !removeLinks(List.of(name)).isEmpty();
    }

    /** Removes links of this folder; returns those that were there still. */
    List<String> removeLinks(List<String> names) throws IOException {
        List<String> removed = new ArrayList<>();
        for (String name : names) {
            if (attributes(name).filter(PosixFileAttributes::isSymbolicLink).isPresent()) {
                if (removed.isEmpty()) {
                    mayBeWritten();
                }
                stream.deleteFile(GitPaths.path(name));
                removed.add(name);
            }
        }
        return removed;
    }

    /**
     * Removes a link or special file, and gives a file that has other names a content of its own,
     * so that what is written here is written nowhere else. One that is too large is set aside.
     * Returns false when none of them is there any more.
     */
    boolean unlink(String name) throws IOException {
        Optional<PosixFileAttributes> found = attributes(name);
        if (found.isEmpty() || found.get().isDirectory()) {
            return false;
        }
        if (!found.get().isRegularFile()) {
            mayBeWritten();
            stream.deleteFile(GitPaths.path(name));
        } else if (found.get().size() > MOST_COPIED) {
            setAside(name);
        } else {
            write(name, content(name, MOST_COPIED), isExecutable(found.get()));
        }
        return true;
    }

    private boolean isFile(String name) throws IOException {
        return attributes(name).filter(PosixFileAttributes::isRegularFile).isPresent();
    }

    /** Gives a file, folder or link a name of this folder that is free, and returns that. */
    String rename(String name, String wanted) throws IOException {
        mayBeWritten();
        String free = wanted;
        for (int number = 2; attributes(free).isPresent(); number++) {
            free = wanted + "-" + (number <= NUMBERED ? Integer.toString(number) : random());
        }
        stream.move(GitPaths.path(name), stream, GitPaths.path(free));
        return free;
    }

    /** A command may have taken the right to write from its folder. */
    private void mayBeWritten() throws IOException {
        PosixFileAttributeView self = view(".");
        Set<PosixFilePermission> mode = EnumSet.copyOf(self.readAttributes().permissions());
        if (mode.add(PosixFilePermission.OWNER_WRITE)
                | mode.add(PosixFilePermission.OWNER_EXECUTE)) {
            self.setPermissions(mode);
        }
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
