package palyra.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The history of the prompt, readable by its owner only. */
final class HistoryFile {
    private static final Set<PosixFilePermission> PRIVATE =
            PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> CREATED =
            PosixFilePermissions.asFileAttribute(PRIVATE);

    private HistoryFile() {}

    /** Returns the file of a state folder; creates it with mode 0600 under any umask. */
    static Path in(Path state) throws IOException {
        Path file = state.resolve("history");
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            Files.createFile(file, CREATED);
        }
        Files.setPosixFilePermissions(file, PRIVATE);
        return file;
    }
}
