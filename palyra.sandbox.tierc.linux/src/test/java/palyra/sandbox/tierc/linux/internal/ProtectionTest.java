package palyra.sandbox.tierc.linux.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Opened;

/** How paths inside a workspace are protected. */
class ProtectionTest {
    @TempDir Path folder;

    private Protection protect(String... paths) {
        return Protection.of(folder.toString(), List.of(paths));
    }

    private String mounts(Protection protection) {
        BwrapArguments arguments = new BwrapArguments();
        Mounts mounts = new Mounts(arguments);
        protection.addTo(mounts);
        String text = new String(arguments.bytes(), StandardCharsets.UTF_8);
        for (Opened opened : mounts.opened()) {
            text = text.replace("-fd\0" + opened.descriptor() + "\0", "\0" + opened.path() + "\0");
        }
        return text.replace(folder.toString(), "WS").replace('\0', ' ').strip();
    }

    @Test
    void foldersAboveAProtectedPathArePinnedAgainstRenaming() throws IOException {
        Files.createDirectories(folder.resolve("a/b/c"));
        Protection protection = protect("a/b/c");
        assertEquals(
                "--bind WS/a WS/a --bind WS/a/b WS/a/b --ro-bind WS/a/b/c WS/a/b/c",
                mounts(protection));
        assertTrue(Files.exists(folder.resolve("a/b/c")));
    }

    /** A mount needs a place, which git and programs would see. */
    @Test
    void whatDoesNotExistGetsNoMountAndNothingIsMade() throws IOException {
        Files.createDirectory(folder.resolve("a"));
        Protection protection = protect(".git/hooks", ".git/config", ".mcp.json", "a/b");
        assertEquals("", mounts(protection));
        assertEquals("protected=0 repositories=0", protection.words());
        assertArrayEquals(new String[] {"a"}, folder.toFile().list());
    }

    /** Earlier versions put folders there. */
    @Test
    void foldersThatAnEarlierVersionRecordedGoAtTheNextStart() throws IOException {
        Path record = folder.resolve("record");
        Path workspace = Files.createDirectory(folder.resolve("workspace"));
        StringBuilder lines = new StringBuilder();
        for (String name : List.of(".vscode", ".mcp.json", ".idea")) {
            Files.createDirectory(workspace.resolve(name));
            lines.append(workspace + "\0" + workspace.resolve(name) + "\n");
        }
        Files.createDirectory(workspace.resolve(".own"));
        Files.writeString(record, lines);
        Files.createFile(workspace.resolve(".idea/filled"));
        Leftovers.removeRecorded(record);
        assertFalse(Files.exists(workspace.resolve(".vscode")));
        assertFalse(Files.exists(workspace.resolve(".mcp.json")));
        assertTrue(Files.exists(workspace.resolve(".idea/filled")), "it was filled since");
        assertTrue(Files.exists(workspace.resolve(".own")), "it is not recorded");
        assertFalse(Files.exists(record));
        Leftovers.removeRecorded(record);
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
        Leftovers.removeRecorded(record);
        assertTrue(Files.exists(below));
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
        Protection protection = protect(".git/commondir", ".mcp.json", ".bashrc");
        assertEquals("--ro-bind WS/.bashrc WS/.bashrc", mounts(protection));
        assertFalse(Files.exists(folder.resolve(".mcp.json")));
        assertFalse(Files.exists(common));
        assertTrue(Files.exists(own), "an empty file that can be written is a person's own");
    }

    @Test
    void repositoriesBelowAreProtectedLikeTheOneAtTheTop() throws IOException {
        Files.createDirectories(folder.resolve(".git/hooks"));
        Files.createDirectories(folder.resolve("a/b/.git/hooks"));
        Files.createFile(folder.resolve("a/b/.git/config"));
        Files.createFile(folder.resolve("a/b/.git/commondir"));
        Protection protection = protect(".git/hooks", ".git/config");
        assertEquals(
                "--bind WS/.git WS/.git --bind WS/a WS/a --bind WS/a/b WS/a/b"
                        + " --bind WS/a/b/.git WS/a/b/.git"
                        + " --ro-bind WS/.git/hooks WS/.git/hooks"
                        + " --ro-bind WS/a/b/.git/commondir WS/a/b/.git/commondir"
                        + " --ro-bind WS/a/b/.git/config WS/a/b/.git/config"
                        + " --ro-bind WS/a/b/.git/hooks WS/a/b/.git/hooks",
                mounts(protection));
        assertEquals("protected=4 repositories=1", protection.words());
        Protection none = protect(".mcp.json");
        assertEquals("protected=0 repositories=0", none.words());
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
        Protection protection = protect(".git/hooks", ".git/config");
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

    @Test
    void tooManyRepositoriesAreSaid() throws IOException {
        for (int at = 0; at < 40; at++) {
            Files.createDirectories(folder.resolve("r" + at + "/.git/hooks"));
        }
        Protection protection = protect(".git/hooks");
        assertTrue(protection.words().endsWith(" repositories=32+"), protection.words());
    }

    @Test
    void aFileInTheWayIsProtectedInstead() throws IOException {
        Files.writeString(folder.resolve(".git"), "gitdir: elsewhere");
        Protection protection = protect(".git/hooks");
        assertEquals("--ro-bind WS/.git WS/.git", mounts(protection));
        assertTrue(Files.exists(folder.resolve(".git")));
    }

    @Test
    void whatLiesInsideAProtectedPathNeedsNoMountOfItsOwn() throws IOException {
        Files.createDirectories(folder.resolve(".git/hooks"));
        Protection protection = protect(".git", ".git/hooks");
        assertTrue(mounts(protection).endsWith("--ro-bind WS/.git WS/.git"));
    }

    @Test
    void moreMountsThanTheLauncherPassesOnAreRefused() throws IOException {
        String[] many = new String[400];
        for (int at = 0; at < many.length; at++) {
            many[at] = "d" + at;
            Files.createDirectory(folder.resolve(many[at]));
        }
        Protection protection = protect(many);
        PalyraException refused = assertThrows(PalyraException.class, () -> mounts(protection));
        assertEquals(ErrorCode.DENIED, refused.code());
    }

    @Test
    void symbolicLinksCannotBeProtected() throws IOException {
        Files.createDirectory(folder.resolve("real"));
        Files.createSymbolicLink(folder.resolve(".git"), folder.resolve("real"));
        PalyraException refused =
                assertThrows(PalyraException.class, () -> protect("x", ".git/hooks"));
        assertEquals(ErrorCode.DENIED, refused.code());
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
