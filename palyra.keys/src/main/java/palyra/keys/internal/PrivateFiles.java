package palyra.keys.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/**
 * Files readable by their owner only, written so that a crash leaves the old or the new content.
 */
final class PrivateFiles {
    private static final Path SELF = Path.of("/proc/self/status");
    private static final Pattern UID_LINE = // real, effective, saved, file system
            Pattern.compile("Uid:\\s+\\d+\\s+(\\d+)\\s.*");
    private static final int LARGEST_BYTES = 1 << 20;
    private static final String TEMPORARY = ".tmp";
    private static final Set<PosixFilePermission> WRITE_BY_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);
    private static final Set<PosixFilePermission> WORLD =
            PosixFilePermissions.fromString("------rwx");

    private PrivateFiles() {}

    /** Makes the folder with mode 0700, or checks that it is one of ours with that mode. */
    static void requireFolder(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder.toAbsolutePath().getParent());
            Files.createDirectory(folder, mode("rwx------"));
            syncFolder(folder.toAbsolutePath().getParent());
        }
        PosixFileAttributes found = attributes(folder);
        requirePrivate(folder, found, "700");
        if (!found.isDirectory()) {
            throw refused(folder, "it is not a folder", "Move it away and start again.");
        }
    }

    /** Reads a regular file of ours with mode 0600 or less. */
    static byte[] readPrivate(Path file) throws IOException {
        PosixFileAttributes found = attributes(file);
        requirePrivate(file, found, "600");
        return read(file, found);
    }

    /**
     * Reads a file that the service manager handed in: it may belong to root, and be readable for a
     * group, which is how access lists of single users appear in a mode.
     */
    static byte[] readCredential(Path file) throws IOException {
        PosixFileAttributes found =
                Files.readAttributes(file, PosixFileAttributes.class); // may be a link
        boolean trusted = ownedByUs(file) || uid(file).filter(id -> id == 0).isPresent();
        if (!trusted) {
            throw refused(
                    file,
                    "it belongs to " + found.owner().getName(),
                    "It must belong to root or to the gateway's user.");
        }
        boolean exposed =
                found.permissions().stream()
                        .anyMatch(bit -> WORLD.contains(bit) || WRITE_BY_OTHERS.contains(bit));
        if (exposed) {
            throw refused(
                    file,
                    "its mode is " + PosixFilePermissions.toString(found.permissions()),
                    "Other users may read or write it: pass it as a credential of the service.");
        }
        return read(file, found);
    }

    private static byte[] read(Path file, PosixFileAttributes found) throws IOException {
        if (!found.isRegularFile() || found.size() > LARGEST_BYTES) {
            throw refused(
                    file,
                    "it is not a regular file of at most " + LARGEST_BYTES + " bytes",
                    "Restore it from a backup.");
        }
        return Files.readAllBytes(file);
    }

    private static void requirePrivate(Path path, PosixFileAttributes found, String mode)
            throws IOException {
        if (found.isSymbolicLink()) {
            throw refused(path, "it is a symbolic link", "Replace it with a regular file.");
        }
        if (!ownedByUs(path)) {
            throw refused(
                    path,
                    "it belongs to " + found.owner().getName(),
                    "Make the gateway's user its owner, or start the gateway as that user.");
        }
        boolean exposed =
                found.permissions().stream().anyMatch(bit -> !bit.name().startsWith("OWNER_"));
        if (exposed) {
            throw refused(
                    path,
                    "its mode is " + PosixFilePermissions.toString(found.permissions()),
                    "Others may have read it: chmod "
                            + mode
                            + " it, and rotate the keys if they could.");
        }
    }

    /** Replaces a file's content in one step that survives a crash. */
    static void write(Path file, byte[] content, String mode) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Path temporary =
                folder.resolve("." + file.getFileName() + "." + UUID.randomUUID() + TEMPORARY);
        try {
            Set<OpenOption> options =
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            try (FileChannel out = FileChannel.open(temporary, options, mode(mode))) {
                for (ByteBuffer rest = ByteBuffer.wrap(content); rest.hasRemaining(); ) {
                    out.write(rest);
                }
                out.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        syncFolder(folder);
    }

    private static void syncFolder(Path folder) throws IOException {
        try (FileChannel entry = FileChannel.open(folder, StandardOpenOption.READ)) {
            entry.force(true);
        }
    }

    /** Deletes what a crash in {@link #write} left behind: it may hold keys. */
    static void removeLeftovers(Path folder) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, ".*" + TEMPORARY)) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static PosixFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static FileAttribute<Set<PosixFilePermission>> mode(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    /** By number where the system tells it, since several names may share one; else by name. */
    private static boolean ownedByUs(Path path) throws IOException {
        Optional<Long> own = ownUid();
        Optional<Long> owner = uid(path);
        if (own.isPresent() && owner.isPresent()) {
            return own.get().equals(owner.get());
        }
        return attributes(path).owner().getName().equals(System.getProperty("user.name"));
    }

    private static Optional<Long> uid(Path path) throws IOException {
        return Files.getAttribute(path, "unix:uid") instanceof Integer uid
                ? Optional.of(Integer.toUnsignedLong(uid))
                : Optional.empty();
    }

    private static Optional<Long> ownUid() throws IOException {
        try {
            return Files.readAllLines(SELF).stream()
                    .map(UID_LINE::matcher)
                    .filter(Matcher::matches)
                    .map(line -> Long.valueOf(line.group(1)))
                    .findFirst();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private static PalyraException refused(Path path, String found, String remedy) {
        return new PalyraException(
                ErrorCode.KEYS_UNAVAILABLE,
                "The boot keys are not read from " + path + ": " + found + ". " + remedy);
    }
}
