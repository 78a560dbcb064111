package palyra.sandbox.tierc.linux.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Opened;
import palyra.api.core.sandbox.LaunchPlan.Passed;

/** How paths inside a workspace are protected. */
class ProtectionTest {
    @TempDir Path folder;
    private final Placeholders placeholders = new Placeholders();

    private Protection protect(String... paths) {
        return Protection.of(folder.toString(), List.of(paths), placeholders);
    }

    private String mounts(Protection protection) {
        BwrapArguments arguments = new BwrapArguments();
        Mounts mounts = new Mounts(arguments);
        protection.addTo(mounts);
        String text = new String(arguments.bytes(), StandardCharsets.UTF_8);
        for (Opened opened : mounts.opened()) {
            text = text.replace("-fd\0" + opened.descriptor() + "\0", "\0" + opened.path() + "\0");
        }
        for (Passed passed : mounts.passed()) {
            assertEquals(0, passed.content().length);
            text = text.replace("-data\0" + passed.descriptor() + "\0", "-data\0");
        }
        return text.replace("--size\0" + "4096\0--tmpfs", "--empty")
                .replace(folder.toString(), "WS")
                .replace('\0', ' ')
                .strip();
    }

    @Test
    void foldersAboveAProtectedPathArePinnedAgainstRenaming() throws IOException {
        Files.createDirectories(folder.resolve("a/b/c"));
        try (Protection protection = protect("a/b/c")) {
            assertEquals(
                    "--bind WS/a WS/a --bind WS/a/b WS/a/b --ro-bind WS/a/b/c WS/a/b/c",
                    mounts(protection));
        }
        assertTrue(Files.exists(folder.resolve("a/b/c")));
    }

    /** Makes what bubblewrap makes below its mounts. */
    private void mounted() throws IOException {
        Files.createDirectories(folder.resolve(".git"));
        Files.createDirectories(folder.resolve(".mcp.json"));
    }

    @Test
    void whatDoesNotExistIsKeptFromBeingMadeAndLeavesNothingBehind() throws IOException {
        try (Protection protection = protect(".git/hooks", ".git/config", ".mcp.json")) {
            assertEquals(
                    "--empty WS/.git --remount-ro WS/.git --empty WS/.mcp.json --remount-ro"
                            + " WS/.mcp.json",
                    mounts(protection));
            assertFalse(Files.exists(folder.resolve(".git")), "bubblewrap makes it, inside");
            mounted();
        }
        assertFalse(Files.exists(folder.resolve(".git")));
        assertFalse(Files.exists(folder.resolve(".mcp.json")));
    }

    @Test
    void aPlaceholderStaysUntilItsLastUserIsDone() throws IOException {
        Protection first = protect(".git/hooks");
        mounted();
        Protection second = protect(".git/hooks");
        first.close();
        first.close();
        assertTrue(Files.exists(folder.resolve(".git")));
        assertEquals("--empty WS/.git --remount-ro WS/.git", mounts(second));
        second.close();
        assertFalse(Files.exists(folder.resolve(".git")));
    }

    /** A gateway that is killed cannot take its placeholders away: the next one does. */
    @Test
    void foldersThatAKilledGatewayLeftBehindGoAtTheNextStart() throws IOException {
        Path record = folder.resolve("record");
        Path workspace = Files.createDirectory(folder.resolve("workspace"));
        Placeholders killed = new Placeholders(Optional.of(record));
        Protection.of(workspace.toString(), List.of(".vscode", ".mcp.json", ".idea"), killed);
        for (String name : List.of(".vscode", ".mcp.json", ".idea", ".own")) {
            Files.createDirectory(workspace.resolve(name));
        }
        Files.createFile(workspace.resolve(".idea/filled"));
        Placeholders next = new Placeholders(Optional.of(record));
        next.removeLeftovers();
        assertFalse(Files.exists(workspace.resolve(".vscode")));
        assertFalse(Files.exists(workspace.resolve(".mcp.json")));
        assertTrue(Files.exists(workspace.resolve(".idea/filled")), "it was filled since");
        assertTrue(Files.exists(workspace.resolve(".own")), "it is not recorded");
        assertFalse(Files.exists(record));
    }

    @Test
    void aRecordThatIsDamagedOrLeadsElsewhereRemovesNothingElse() throws IOException {
        Path record = folder.resolve("record");
        Path workspace = Files.createDirectory(folder.resolve("workspace"));
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.createSymbolicLink(workspace.resolve("link"), other);
        Path below = Files.createDirectory(other.resolve("empty"));
        Files.writeString(
                record,
                "no separator\n"
                        + (folder.resolve("absent") + "\0" + folder.resolve("absent/x") + "\n")
                        + (workspace + "\0" + other + "\n")
                        + (workspace + "\0" + workspace.resolve("link/empty") + "\n"));
        new Placeholders(Optional.of(record)).removeLeftovers();
        assertTrue(Files.exists(below));
    }

    @Test
    void theRecordGoesWithTheLastPlaceholder() throws IOException {
        Path record = folder.resolve("record");
        Placeholders recorded = new Placeholders(Optional.of(record));
        Protection first = Protection.of(folder.toString(), List.of(".vscode"), recorded);
        Protection second = Protection.of(folder.toString(), List.of(".vscode"), recorded);
        first.close();
        assertTrue(Files.exists(record));
        second.close();
        assertFalse(Files.exists(record));
    }

    /** Without a record the placeholder would stay after a kill, so nothing is started. */
    @Test
    void withoutARecordNothingIsHeld() {
        Placeholders unwritable = new Placeholders(Optional.of(folder.resolve("no/such/folder")));
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> Protection.of(folder.toString(), List.of(".vscode"), unwritable));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertFalse(unwritable.isPlaceholder(folder.resolve(".vscode")));
    }

    /** Earlier versions left files behind. */
    @Test
    void filesThatAnEarlierVersionLeftBehindGoWithTheNextCommand() throws IOException {
        Files.createDirectories(folder.resolve(".git"));
        Files.createFile(folder.resolve(".mcp.json"));
        Files.setPosixFilePermissions(
                folder.resolve(".mcp.json"), PosixFilePermissions.fromString("r--r--r--"));
        Path own = Files.createFile(folder.resolve(".bashrc"));
        Path common = Files.writeString(folder.resolve(".git/commondir"), ".\n");
        try (Protection protection = protect(".git/commondir", ".mcp.json", ".bashrc")) {
            assertEquals(
                    "--bind WS/.git WS/.git --ro-bind WS/.bashrc WS/.bashrc"
                            + " --ro-bind WS/.git/commondir WS/.git/commondir"
                            + " --empty WS/.mcp.json --remount-ro WS/.mcp.json",
                    mounts(protection));
        }
        assertFalse(Files.exists(folder.resolve(".mcp.json")));
        assertFalse(Files.exists(common));
        assertTrue(Files.exists(own), "an empty file that can be written is a person's own");
    }

    @Test
    void nothingIsMadeOrRemovedWhereALinkLeads() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Path workspace = Files.createDirectory(folder.resolve("workspace"));
        Path inside = Files.createDirectory(workspace.resolve("a"));
        Protection whole = Protection.of(workspace.toString(), List.of("b"), placeholders);
        Protection below = Protection.of(workspace.toString(), List.of("a/b"), placeholders);
        Files.createFile(other.resolve("b"));
        Files.delete(inside);
        Files.createSymbolicLink(inside, other);
        below.close();
        assertTrue(Files.exists(other.resolve("b")), "removed through a link in the workspace");
        Files.move(workspace, folder.resolve("away"));
        Files.createSymbolicLink(workspace, other);
        whole.close();
        assertTrue(Files.exists(other.resolve("b")), "removed through a link to a workspace");
    }

    @Test
    void aPlaceholderThatSomebodyFilledStays() throws IOException {
        Protection protection = protect(".git/hooks", ".bashrc");
        Files.createDirectory(folder.resolve(".git"));
        Files.createFile(folder.resolve(".git/HEAD"));
        Files.writeString(folder.resolve(".bashrc"), "alias");
        protection.close();
        assertTrue(Files.exists(folder.resolve(".git/HEAD")));
        assertEquals("alias", Files.readString(folder.resolve(".bashrc")));
    }

    @Test
    void commonFolderOfARepositoryCannotBeMadeByACommand() throws IOException {
        Files.createDirectories(folder.resolve(".git/hooks"));
        Files.createDirectories(folder.resolve("a/.git"));
        Path file = folder.resolve(".git/commondir");
        Protection first = protect(".git/commondir");
        String mounts = mounts(first);
        assertTrue(mounts.contains("--ro-bind WS/.git/commondir WS/.git/commondir"), mounts);
        assertTrue(mounts.contains("--ro-bind WS/a/.git/commondir WS/a/.git/commondir"), mounts);
        assertEquals(".\n", Files.readString(file));
        Protection second = protect(".git/commondir");
        first.close();
        assertTrue(Files.exists(file), "the second command needs it");
        second.close();
        assertFalse(Files.exists(file));
        assertFalse(Files.exists(folder.resolve("a/.git/commondir")));
    }

    @Test
    void commonFolderThatWasThereStaysAndSoDoesOneThatWasWritten() throws IOException {
        Files.createDirectories(folder.resolve(".git"));
        Path file = Files.writeString(folder.resolve(".git/commondir"), "../x\n");
        protect(".git/commondir").close();
        assertEquals("../x\n", Files.readString(file));
        Files.delete(file);
        Protection protection = protect(".git/commondir");
        Files.writeString(file, "..");
        protection.close();
        assertEquals("..", Files.readString(file));
    }

    @Test
    void repositoriesBelowAreProtectedLikeTheOneAtTheTop() throws IOException {
        Files.createDirectories(folder.resolve(".git/hooks"));
        Files.createDirectories(folder.resolve("a/b/.git/hooks"));
        Files.createFile(folder.resolve("a/b/.git/config"));
        Files.createFile(folder.resolve("a/b/.git/commondir"));
        try (Protection protection = protect(".git/hooks", ".git/config")) {
            assertEquals(
                    "--bind WS/.git WS/.git --bind WS/a WS/a --bind WS/a/b WS/a/b"
                            + " --bind WS/a/b/.git WS/a/b/.git"
                            + " --empty WS/.git/config --remount-ro WS/.git/config --ro-bind WS/.git/hooks WS/.git/hooks"
                            + " --ro-bind WS/a/b/.git/commondir WS/a/b/.git/commondir"
                            + " --ro-bind WS/a/b/.git/config WS/a/b/.git/config"
                            + " --ro-bind WS/a/b/.git/hooks WS/a/b/.git/hooks",
                    mounts(protection));
            assertEquals("protected=5 repositories=1", protection.words());
        }
        try (Protection none = protect(".mcp.json")) {
            assertEquals("protected=1 repositories=0", none.words());
        }
    }

    @Test
    void filesThatSayWhereGitsFolderIsStayAsTheyAreAndSoDoesWhatTheyName() throws IOException {
        Files.createDirectories(folder.resolve(".git/hooks"));
        Files.createFile(folder.resolve(".git/config"));
        Files.createDirectories(folder.resolve(".git/modules/sub/hooks"));
        Files.createFile(folder.resolve(".git/modules/sub/config"));
        Files.createDirectories(folder.resolve(".git/worktrees/w"));
        Files.writeString(folder.resolve(".git/worktrees/w/commondir"), "../..\n");
        Files.createDirectory(folder.resolve("sub"));
        Files.writeString(folder.resolve("sub/.git"), "gitdir: ../.git/modules/sub\n");
        Files.createDirectory(folder.resolve("out"));
        Files.writeString(folder.resolve("out/.git"), "gitdir: /etc\n");
        try (Protection protection = protect(".git/hooks", ".git/config")) {
            String mounts = mounts(protection);
            for (String path :
                    List.of(
                            "sub/.git",
                            "out/.git",
                            ".git/modules/sub/hooks",
                            ".git/modules/sub/config",
                            ".git/worktrees/w/commondir")) {
                assertTrue(
                        mounts.contains("--ro-bind WS/" + path + " WS/" + path),
                        path + " in " + mounts);
            }
            assertFalse(mounts.contains("/etc"), mounts);
        }
    }

    @Test
    void tooManyRepositoriesAreSaid() throws IOException {
        for (int at = 0; at < 40; at++) {
            Files.createDirectories(folder.resolve("r" + at + "/.git/hooks"));
        }
        try (Protection protection = protect(".git/hooks")) {
            assertTrue(protection.words().endsWith(" repositories=32+"), protection.words());
        }
    }

    @Test
    void aFileInTheWayIsProtectedInstead() throws IOException {
        Files.writeString(folder.resolve(".git"), "gitdir: elsewhere");
        try (Protection protection = protect(".git/hooks")) {
            assertEquals("--ro-bind WS/.git WS/.git", mounts(protection));
        }
        assertTrue(Files.exists(folder.resolve(".git")));
    }

    @Test
    void whatLiesInsideAProtectedPathNeedsNoMountOfItsOwn() throws IOException {
        Files.createDirectories(folder.resolve(".git/hooks"));
        try (Protection protection = protect(".git", ".git/hooks")) {
            assertTrue(mounts(protection).endsWith("--ro-bind WS/.git WS/.git"));
        }
    }

    @Test
    void moreMountsThanTheLauncherPassesOnAreRefused() throws IOException {
        String[] many = new String[400];
        for (int at = 0; at < many.length; at++) {
            many[at] = "d" + at;
            Files.createDirectory(folder.resolve(many[at]));
        }
        try (Protection protection = protect(many)) {
            PalyraException refused = assertThrows(PalyraException.class, () -> mounts(protection));
            assertEquals(ErrorCode.DENIED, refused.code());
        }
    }

    @Test
    void symbolicLinksCannotBeProtected() throws IOException {
        Files.createDirectory(folder.resolve("real"));
        Files.createSymbolicLink(folder.resolve(".git"), folder.resolve("real"));
        PalyraException refused =
                assertThrows(PalyraException.class, () -> protect("x", ".git/hooks"));
        assertEquals(ErrorCode.DENIED, refused.code());
        assertFalse(Files.exists(folder.resolve("x")), "a placeholder was left behind");
        assertThrows(
                PalyraException.class,
                () -> Protection.check(folder.toString(), List.of(".git/hooks")));
    }

    @Test
    void pathsThatLeaveTheWorkspaceAreRefused() {
        for (String wrong : List.of("", ".", "..", "../x", "a/../b", "/etc", "a/", "./a", "a\0b")) {
            assertThrows(PalyraException.class, () -> protect(wrong), wrong);
        }
    }
}
