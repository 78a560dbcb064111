package palyra.sandbox.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs({OS.LINUX, OS.MAC})
class DiskScanTest {
    @TempDir Path root;

    /** As a user that is not root meets it. */
    private static DiskScan.Opening asItsOwner() {
        return folder -> {
            if (!Files.getPosixFilePermissions(folder).contains(PosixFilePermission.OWNER_READ)) {
                throw new AccessDeniedException(folder.toString());
            }
            return Files.newDirectoryStream(folder);
        };
    }

    @Test
    void aFolderThatACommandClosedToItsUserIsOpenedAndCounted() throws Exception {
        Path closed = Files.createDirectory(root.resolve("closed"));
        Files.write(closed.resolve("f"), new byte[1_000]);
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("--x--x--x"));
        try (DiskScan scan = new DiskScan(root, Optional.empty(), asItsOwner())) {
            assertTrue(scan.step(100));
            assertEquals(0, scan.use().uncounted());
            assertEquals(1_000, scan.use().bytes());
        }
    }
}
