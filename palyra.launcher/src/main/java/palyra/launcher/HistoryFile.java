package palyra.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** The file of the lines that were typed at prompts, for its owner alone. */
final class HistoryFile {
    private static final Set<PosixFilePermission> PRIVATE =
            PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> CREATED =
            PosixFilePermissions.asFileAttribute(PRIVATE);

    private HistoryFile() {}

    /** The file of a state folder, which is there and closed to others whatever the umask is. */
    static Path in(Path state) throws IOException {
        Path file = state.resolve("history");
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            Files.createFile(file, CREATED);
        }
        Files.setPosixFilePermissions(file, PRIVATE);
        return file;
    }
}
