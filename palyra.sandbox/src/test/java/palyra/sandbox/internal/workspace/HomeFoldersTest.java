package palyra.sandbox.internal.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which folders may be home folders, and what is protected there alone. */
class HomeFoldersTest {
    @TempDir Path folder;

    @Test
    void foldersOfAccountsAndThoseWithTracesOfALoginAre() throws Exception {
        assertTrue(HomeFolders.mayBe(Path.of("/root").toRealPath()));
        assertTrue(HomeFolders.mayBe(Path.of(System.getProperty("user.home"))));
        assertTrue(HomeFolders.mayBe(Path.of("/home/anna")));
        assertTrue(HomeFolders.mayBe(Path.of("/")));
        assertFalse(HomeFolders.mayBe(folder));
        Files.createDirectory(folder.resolve(".ssh"));
        assertTrue(HomeFolders.mayBe(folder));
    }

    @Test
    void linksToStartFilesOfShellsAreProtectedInAHomeFolderAlone() throws Exception {
        ProtectedPaths paths =
                new ProtectedPaths(List.of(".git/hooks", ".vscode", ".bashrc", ".profile"));
        Files.createSymbolicLink(folder.resolve(".bashrc"), Path.of("dot/bashrc"));
        assertEquals(List.of(".git/hooks", ".vscode", ".profile"), paths.ofCommands(folder));
        Files.createFile(folder.resolve(".bash_history"));
        assertEquals(paths.ofCommands(), paths.ofCommands(folder));
    }
}
