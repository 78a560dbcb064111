package palyra.sandbox.internal.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class WorkspacesTest {
    @TempDir Path temp;
    private Path base;
    private Path root;
    private Path state;

    @BeforeEach
    void makeFolders() throws IOException {
        base = temp.toRealPath();
        root = base.resolve("workspaces");
        state = Files.createDirectories(base.resolve("state"));
    }

    private Workspaces workspaces(Map<String, Path> byAgent, Path... gateway) {
        return new Workspaces(root, byAgent, List.of(gateway));
    }

    private Path configured(Path folder, Path... gateway) {
        return workspaces(Map.of("a", folder), gateway).of("a");
    }

    private static String refused(ErrorCode code, Runnable asked) {
        PalyraException refusal = assertThrows(PalyraException.class, asked::run);
        assertEquals(code, refusal.code(), refusal.getMessage());
        return refusal.getMessage();
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(
                Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void makesAFolderForItsOwnerAloneAndGivesItAgain() throws Exception {
        Workspaces workspaces = workspaces(Map.of(), state);
        Path made = workspaces.of("agent-1");
        assertEquals(root.resolve("agent-1"), made);
        assertEquals("rwx------", mode(made));
        assertEquals("rwx------", mode(root));
        Files.writeString(made.resolve("kept"), "x");
        assertEquals(made, workspaces.of("agent-1"));
        assertTrue(Files.exists(made.resolve("kept")));
        assertFalse(made.equals(workspaces.of("agent-2")));
        Files.delete(made.resolve("kept"));
        Files.delete(made);
        assertEquals(made, workspaces.of("agent-1"), "made anew");
    }

    /** As after {@code chmod 000 .} or {@code chmod 777 .} of a command. */
    @Test
    void opensAFolderOfItsOwnThatACommandClosedOrOpenedToAll() throws Exception {
        Workspaces workspaces = workspaces(Map.of(), state);
        Path made = workspaces.of("agent-1");
        for (String changed : List.of("---------", "r-x------", "rwxrwxrwx")) {
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(changed));
            assertEquals(made, workspaces.of("agent-1"));
            assertEquals(
                    changed.equals("rwxrwxrwx") ? "rwxrwxr-x" : "rwx------", mode(made), changed);
        }
    }

    @Test
    void refusesAgentIdsThatAreNoFileNames() {
        Workspaces workspaces = workspaces(Map.of());
        for (String id :
                List.of(
                        "",
                        ".",
                        "..",
                        "a/b",
                        "../x",
                        "a b",
                        "-a",
                        ".a",
                        "a\0",
                        "é",
                        "x".repeat(129))) {
            refused(ErrorCode.INVALID_ARGUMENT, () -> workspaces.of(id));
        }
        refused(ErrorCode.INVALID_ARGUMENT, () -> workspaces.of(null));
        assertFalse(Files.exists(root.resolve("x")));
    }

    @Test
    void needsAbsoluteFolders() {
        refused(
                ErrorCode.INVALID_ARGUMENT,
                () -> new Workspaces(Path.of("x"), Map.of(), List.of()));
        refused(ErrorCode.INVALID_ARGUMENT, () -> workspaces(Map.of("a", Path.of("x"))));
    }

    @Test
    void givesTheRealPathOfAConfiguredFolder() throws Exception {
        Path real = Files.createDirectories(base.resolve("project"));
        Path link = Files.createSymbolicLink(base.resolve("link"), real);
        assertEquals(real, configured(link, state));
        assertEquals(real, configured(base.resolve("project/../link"), state));
    }

    @Test
    void saysThatAConfiguredFolderIsGone() throws Exception {
        assertTrue(
                refused(ErrorCode.NOT_FOUND, () -> configured(base.resolve("gone")))
                        .contains("create it"));
        Path file = Files.writeString(base.resolve("file"), "x");
        refused(ErrorCode.NOT_FOUND, () -> configured(file));
    }

    @Test
    void refusesWhatSharesFilesWithTheGateway() throws Exception {
        Path inside = Files.createDirectories(state.resolve("inner/x"));
        for (Path folder : List.of(state, inside, base)) {
            refused(ErrorCode.DENIED, () -> configured(folder, state));
        }
        Path link = Files.createSymbolicLink(base.resolve("link"), inside);
        refused(ErrorCode.DENIED, () -> configured(link, state));
        Path gatewayLink = Files.createSymbolicLink(base.resolve("gateway"), state);
        refused(ErrorCode.DENIED, () -> configured(inside, gatewayLink));
        Path beside = Files.createDirectories(base.resolve("state2"));
        assertEquals(beside, configured(beside, state), "a name that begins alike is another");
    }

    @Test
    void refusesAnAgentWhoseFolderWouldBeTheGateways() throws Exception {
        Files.createDirectories(root.resolve("state"));
        Workspaces workspaces = workspaces(Map.of(), root.resolve("state"), root.resolve("later"));
        refused(ErrorCode.DENIED, () -> workspaces.of("state"));
        refused(ErrorCode.DENIED, () -> workspaces.of("later"));
        assertFalse(Files.exists(root.resolve("later")), "nothing was made");
        workspaces.of("other");
    }

    @Test
    void refusesAFolderThatALinkJoinsToTheGateway() throws Exception {
        Path folder = Files.createDirectories(base.resolve("project"));
        Path link = Files.createSymbolicLink(state.resolve("to-project"), folder);
        assertTrue(
                refused(ErrorCode.DENIED, () -> configured(folder, state))
                        .contains(link.toString()));
        Files.delete(link);
        assertEquals(folder, configured(folder, state));
    }

    /** A command can make one; it must not take the workspace away from those that follow. */
    @Test
    void aLinkThatACommandMakesToTheGatewayTakesNoWorkspaceAway() throws Exception {
        Path folder = Files.createDirectories(base.resolve("project"));
        Files.createSymbolicLink(folder.resolve("to-state"), state);
        Files.createSymbolicLink(folder.resolve("to-root"), Path.of("/"));
        assertEquals(folder, configured(folder, state));
    }

    @Test
    void refusesALinkOrAFileBelowTheRoot() throws Exception {
        Files.createDirectories(root);
        Path elsewhere = Files.createDirectories(base.resolve("elsewhere"));
        Files.createSymbolicLink(root.resolve("linked"), elsewhere);
        Files.createSymbolicLink(root.resolve("dangling"), base.resolve("gone"));
        Files.writeString(root.resolve("file"), "x");
        Workspaces workspaces = workspaces(Map.of(), state);
        assertTrue(refused(ErrorCode.DENIED, () -> workspaces.of("linked")).contains("link"));
        refused(ErrorCode.DENIED, () -> workspaces.of("dangling"));
        assertFalse(Files.exists(base.resolve("gone")));
        refused(ErrorCode.DENIED, () -> workspaces.of("file"));
    }

    @Test
    void refusesWhatOthersMayWriteToOrExchange() throws Exception {
        Path open = Files.createDirectories(base.resolve("open"));
        Path below = Files.createDirectories(open.resolve("below"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertTrue(refused(ErrorCode.DENIED, () -> configured(open, state)).contains("may write"));
        assertTrue(refused(ErrorCode.DENIED, () -> configured(below, state)).contains("exchange"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertEquals(below, configured(below, state));
    }

    @Test
    void refusesAFolderOfAnotherUser() throws Exception {
        boolean root = ((Number) Files.getAttribute(base, "unix:uid")).intValue() == 0;
        if (root) {
            Path foreign = Files.createDirectories(base.resolve("foreign"));
            Files.setAttribute(foreign, "unix:uid", 12_345);
            assertTrue(
                    refused(ErrorCode.DENIED, () -> configured(foreign, state)).contains("12345"));
        } else {
            assertTrue(
                    refused(ErrorCode.DENIED, () -> configured(Path.of("/usr"), state))
                            .contains("user id 0"));
        }
    }

    @Test
    void refusesAFileSystemWhereNothingCanRun() throws Exception {
        Path folder = Files.createDirectories(base.resolve("a b"));
        Path info = base.resolve("mountinfo");
        String line = "36 35 98:0 / %s %s,relatime master:1 - ext4 /dev/x rw%n";
        String covered = line.formatted("/", "rw") + line.formatted(base, "rw,noexec");
        Workspaces workspaces = new Workspaces(root, Map.of("a", folder), List.of(state), info);
        Files.writeString(info, covered);
        assertTrue(refused(ErrorCode.DENIED, () -> workspaces.of("a")).contains("noexec"));
        Files.writeString(info, covered + line.formatted(base + "/a\\040b", "ro"));
        assertTrue(refused(ErrorCode.DENIED, () -> workspaces.of("a")).contains("read-only"));
        Files.writeString(info, covered + line.formatted(base + "/a\\040b", "rw,nosuid"));
        assertEquals(folder, workspaces.of("a"));
    }

    @Test
    void readsTheMountsOfThisMachine() {
        Path info = Path.of("/proc/self/mountinfo");
        assumeTrue(Files.exists(info), "this system has no /proc/self/mountinfo");
        assertFalse(new MountTable(info).optionsOf(base).isEmpty());
    }
}
