package palyra.sandbox.tierc.linux.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** How paths inside a workspace are protected. */
class ProtectionTest {
    @TempDir Path folder;
    private final Placeholders placeholders = new Placeholders();

    private Protection protect(String... paths) {
        return Protection.of(folder.toString(), List.of(paths), placeholders);
    }

    private String mounts(Protection protection) {
        Arguments arguments = new Arguments();
        protection.addTo(arguments);
        return new String(arguments.bytes(), StandardCharsets.UTF_8)
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

    @Test
    void whatDoesNotExistIsKeptFromBeingMadeAndLeavesNothingBehind() throws IOException {
        try (Protection protection = protect(".git/hooks", ".git/config", ".mcp.json")) {
            assertEquals(
                    "--ro-bind WS/.git WS/.git --ro-bind WS/.mcp.json WS/.mcp.json",
                    mounts(protection));
            assertTrue(Files.isDirectory(folder.resolve(".git")));
            assertTrue(Files.isRegularFile(folder.resolve(".mcp.json")));
        }
        assertFalse(Files.exists(folder.resolve(".git")));
        assertFalse(Files.exists(folder.resolve(".mcp.json")));
    }

    @Test
    void aPlaceholderStaysUntilItsLastUserIsDone() {
        Protection first = protect(".git/hooks");
        Protection second = protect(".git/hooks");
        first.close();
        first.close();
        assertTrue(Files.exists(folder.resolve(".git")));
        assertEquals("--ro-bind WS/.git WS/.git", mounts(second));
        second.close();
        assertFalse(Files.exists(folder.resolve(".git")));
    }

    @Test
    void aPlaceholderThatSomebodyFilledStays() throws IOException {
        Protection protection = protect(".git/hooks", ".bashrc");
        Files.createFile(folder.resolve(".git/HEAD"));
        Files.writeString(folder.resolve(".bashrc"), "alias");
        protection.close();
        assertTrue(Files.exists(folder.resolve(".git/HEAD")));
        assertEquals("alias", Files.readString(folder.resolve(".bashrc")));
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
