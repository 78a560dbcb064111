package palyra.sandbox.tierc.linux.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.shared.confine.FolderIdentity;

/**
 * What earlier versions left in workspaces: they put empty folders and files in place of protected
 * paths that did not exist. Stateless.
 */
final class Leftovers {
    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);
    private static final int LONGEST_RECORD = 16 << 20;

    /** Permissions of their files, which bubblewrap made. */
    private static final Set<PosixFilePermission> MADE =
            PosixFilePermissions.fromString("r--r--r--");

    private Leftovers() {}

    /** Removes the folders that a record names and that are still empty, and the record. */
    static void removeRecorded(Path record) {
        for (String line : lines(record)) {
            removeRecorded(line);
        }
        try {
            Files.deleteIfExists(record);
        } catch (IOException e) {
            LOG.warn("The record of placeholders {} cannot be removed", record, e);
        }
    }

    private static List<String> lines(Path record) {
        try {
            if (Files.size(record) > LONGEST_RECORD) {
                LOG.warn("The record of placeholders {} is too long to be read", record);
                return List.of();
            }
            return Files.readString(record).lines().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            LOG.warn("The record of placeholders {} cannot be read", record, e);
            return List.of();
        }
    }

    private static void removeRecorded(String line) {
        int at = Math.max(0, line.indexOf('\0'));
        try {
            Path workspace = Path.of(line.substring(0, at));
            Path path = Path.of(line.substring(at + 1));
            if (path.startsWith(workspace) && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                new WorkspaceFiles(FolderIdentity.of(workspace.toString())).remove(path);
            }
        } catch (InvalidPathException | PalyraException e) {
            LOG.warn("A placeholder of the record cannot be removed: {}", e.getMessage());
        }
    }

    /** Returns whether a file is one of theirs: empty and without a writer, or without effect. */
    static boolean isOne(Path path) {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(
                            path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return found.isRegularFile()
                    && (found.size() == 0
                            ? Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)
                                    .equals(MADE)
                            : WorkspaceFiles.isItself(path, found.size()));
        } catch (IOException e) {
            return false; // it stays
        }
    }
}
