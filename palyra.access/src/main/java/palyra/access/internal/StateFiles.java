package palyra.access.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/** Files of the state folder that only the gateway's user may read, and that survive a crash. */
final class StateFiles {
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final String TEMPORARY = ".tmp";

    private StateFiles() {}

    /** Replaces a file's content in one step that survives a crash. */
    static void replace(Path file, byte[] content) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        removeLeftovers(folder, file);
        Path temporary =
                folder.resolve("." + file.getFileName() + "." + UUID.randomUUID() + TEMPORARY);
        Set<OpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            try (FileChannel out = FileChannel.open(temporary, options, PRIVATE)) {
                writeAll(out, content);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        syncFolder(folder);
    }

    private static void removeLeftovers(Path folder, Path file) throws IOException {
        String pattern = "." + file.getFileName() + ".*" + TEMPORARY;
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, pattern)) {
            for (Path one : left) {
                Files.deleteIfExists(one);
            }
        }
    }

    /** Appends to a file, making it if need be, and returns when the bytes are on the medium. */
    static void append(Path file, byte[] content) throws IOException {
        boolean isNew = !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        Set<OpenOption> options =
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND,
                        LinkOption.NOFOLLOW_LINKS);
        try (FileChannel out = FileChannel.open(file, options, PRIVATE)) {
            writeAll(out, content);
        }
        if (isNew) {
            syncFolder(file.toAbsolutePath().getParent());
        }
    }

    private static void writeAll(FileChannel out, byte[] content) throws IOException {
        for (ByteBuffer rest = ByteBuffer.wrap(content); rest.hasRemaining(); ) {
            out.write(rest);
        }
        out.force(true);
    }

    private static void syncFolder(Path folder) throws IOException {
        try (FileChannel entry = FileChannel.open(folder, StandardOpenOption.READ)) {
            entry.force(true);
        }
    }
}
