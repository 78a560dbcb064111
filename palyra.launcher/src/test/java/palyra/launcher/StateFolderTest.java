package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {
    private static final int UID = Math.toIntExact(new UnixSystem().getUid());

    @TempDir Path folder;

    private Path home;

    @BeforeEach
    void makeHome() throws IOException {
        home = Files.createDirectory(folder.resolve("home"));
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private String refusal(Path state, int uid) {
        LaunchException refused =
                assertThrows(LaunchException.class, () -> StateFolder.open(state, home, uid));
        assertEquals(ExitCode.USAGE, refused.exitCode());
        return refused.getMessage();
    }

    @Test
    void makesTheFolderAndItsPartsForTheOwnerAlone() throws Exception {
        StateFolder state = StateFolder.open(folder.resolve("new/state"), home, UID);
        state.prepare();
        assertEquals("rwx------", mode(state.path()));
        for (String part : new String[] {"run", "conf", "tmp", "logs", "cache"}) {
            assertEquals("rwx------", mode(state.sub(part)), part);
        }
    }

    @Test
    void closesItsOwnFolderThatOthersCouldRead() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        StateFolder.open(open, home, UID);
        assertEquals("rwx------", mode(open));
    }

    @Test
    void refusesAFolderOfAnotherUserAndLeavesItAlone() throws Exception {
        Path foreign = Files.createDirectory(folder.resolve("foreign"));
        Files.setPosixFilePermissions(foreign, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertTrue(refusal(foreign, UID + 1).contains("belongs to user id " + UID));
        assertEquals("rwxr-xr-x", mode(foreign));
    }

    @Test
    void refusesToLiveInsideTheInstallation() {
        assertTrue(refusal(home.resolve("state"), UID).contains("inside the installation folder"));
        assertFalse(Files.exists(home.resolve("state")));
    }

    @Test
    void refusesToLiveInsideTheInstallationThroughALink() throws Exception {
        Path inside = Files.createDirectory(home.resolve("state"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), inside);
        assertTrue(refusal(link, UID).contains("inside the installation folder"));
    }

    @Test
    void refusesABuildFolderButNotEveryFolderNamedTarget() throws Exception {
        Path module = Files.createDirectory(folder.resolve("module"));
        Path target = module.resolve("target");
        StateFolder.open(target.resolve("state"), home, UID);
        Files.createFile(module.resolve("pom.xml"));
        assertTrue(refusal(target.resolve("state"), UID).contains("build folder"));
    }

    @Test
    void refusesAParentWhereEveryoneMayRename() throws Exception {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertTrue(refusal(shared.resolve("state"), UID).contains("every user may rename"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxr-x"));
        StateFolder.open(shared.resolve("state"), home, UID);
    }

    @Test
    void refusesAPathTooLongForTheCommandSocket() {
        assertTrue(refusal(folder.resolve("x".repeat(100)), UID).contains("command socket"));
    }

    @Test
    void saysWhatIsInTheWay() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        assertTrue(refusal(file.resolve("state"), UID).contains("cannot be used"));
    }

    @Test
    void removesTheSocketOfADeadGatewayAndNothingElse() throws Exception {
        StateFolder state = StateFolder.open(folder.resolve("state"), home, UID);
        state.prepare();
        Files.createFile(state.commandSocket());
        Path kept = Files.createFile(state.sub("conf").resolve("palyra.gateway.json"));
        state.prepare();
        assertFalse(Files.exists(state.commandSocket()));
        assertTrue(Files.exists(kept));
    }
}
