package palyra.sandbox.internal.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** The one list of protected paths, as sandboxes, guards and file tools read it. */
class ProtectedPathsTest {
    private static final Path WORKSPACE = Path.of("/w/agent");

    @TempDir Path folder;

    private final ProtectedPaths paths =
            new ProtectedPaths(List.of(".git/hooks", ".bashrc", "**/.git", "**/.config/fish"));

    private boolean tool(String path) {
        return paths.keepsFromFileTools(WORKSPACE, List.of(path.split("/")));
    }

    private boolean command(String path) {
        return paths.keptFromCommands(WORKSPACE).test(WORKSPACE + "/" + path);
    }

    @Test
    void sandboxesGetThePlainEntriesOnly() {
        assertEquals(List.of(".git/hooks", ".bashrc"), paths.ofCommands());
    }

    @Test
    void fileToolsAreKeptFromEveryEntryAtAnyDepthAndInAnyCase() {
        for (String path :
                List.of(
                        ".git/hooks/pre-commit",
                        ".git/index",
                        "a/b/.git",
                        "a/.GIT/config",
                        "x/.bashrc",
                        ".config/fish/config.fish")) {
            assertTrue(tool(path), path);
        }
        for (String path : List.of("git/hooks", ".gitignore", ".config/other", "bashrc")) {
            assertFalse(tool(path), path);
        }
    }

    @Test
    void commandsAreKeptFromPlainEntriesAtTheTop() {
        assertTrue(command(".git/hooks"));
        assertTrue(command(".git/hooks/pre-commit"));
        assertFalse(command(".git/index"), "git itself has to write there");
        assertFalse(command("sub/.bashrc"), "a sandbox mounts places, not names");
        assertFalse(command(".bashrc2"));
        assertFalse(paths.keptFromCommands(WORKSPACE).test("/w/agent2/.git/hooks"));
        assertFalse(paths.keptFromCommands(WORKSPACE).test(WORKSPACE.toString()));
    }

    /** One that a command made would be held, and be in the way of the next command. */
    @Test
    void startFilesOfShellsAreKeptWhetherTheyExistOrNot() throws Exception {
        Path real = folder.toRealPath();
        String start = real + "/.bashrc";
        assertTrue(paths.keptFromCommands(real).test(start));
        assertEquals(List.of(".git/hooks", ".bashrc"), paths.ofCommands(real));
        assertEquals(List.of(".bashrc"), paths.ofCommandsAt(real, Set.of(start)));
        Path existing = Files.createFile(real.resolve(".bashrc"));
        assertTrue(paths.keptFromCommands(real).test(start));
        Files.delete(existing);
        Files.createDirectory(real.resolve(".ssh")); // as in a home folder
        assertTrue(paths.keptFromCommands(real).test(start));
        assertEquals(List.of(".git/hooks", ".bashrc"), paths.ofCommands(real));
    }

    @Test
    void aWorkspaceThatTheGatewayMadeIsTheAgentsButForGit() throws Exception {
        Path made = Files.createDirectory(folder.toRealPath().resolve("made"));
        Path own = Files.createDirectory(made.resolve("agent"));
        ProtectedPaths all = new ProtectedPaths(List.of(".git/hooks", ".vscode", ".bashrc"), made);
        assertEquals(List.of(".git/hooks"), all.ofCommands(own));
        assertFalse(all.keepsFromFileTools(own, List.of("sub", ".vscode", "settings.json")));
        assertTrue(all.keepsFromFileTools(own, List.of("sub", ".git", "hooks", "pre-commit")));
        assertTrue(all.keepsFromFileTools(own.resolve("below"), List.of(".vscode")));
        assertTrue(all.ofCommands(folder.toRealPath()).contains(".vscode"), "a person's");
        assertTrue(all.ofCommands(own.resolve("below")).contains(".vscode"), "not one of them");
        Files.createDirectory(own.resolve(".ssh"));
        assertTrue(all.ofCommands(own).contains(".bashrc"), "it may be a home folder");
    }

    /** Repositories of such files are full of links, which no sandbox can hold. */
    @Test
    void linksToStartFilesAreNotKeptOutsideOfHomeFolders() throws Exception {
        Path real = folder.toRealPath();
        Files.createSymbolicLink(real.resolve(".bashrc"), Path.of("dot/bashrc"));
        assertEquals(List.of(".git/hooks"), paths.ofCommands(real));
    }

    @Test
    void entriesThatAreNoPathsWithinAWorkspaceAreRefusedByName() {
        for (String entry :
                List.of("", " ", "/x", "../x", "a/../b", "./a", ".", "*", "a/*", "**/", "**/..")) {
            PalyraException refused =
                    assertThrows(
                            PalyraException.class, () -> new ProtectedPaths(List.of(entry)), entry);
            assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
            assertTrue(refused.getMessage().contains("'" + entry + "'"), refused.getMessage());
        }
    }
}
