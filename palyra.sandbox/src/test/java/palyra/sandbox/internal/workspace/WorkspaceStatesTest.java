package palyra.sandbox.internal.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** States that people were asked about are kept, within bounds. */
class WorkspaceStatesTest {
    @TempDir Path folder;
    private Path workspace;
    private Path kept;

    @BeforeEach
    void make() throws Exception {
        workspace = Files.createDirectory(folder.resolve("workspace"));
        kept = folder.resolve("kept");
    }

    private WorkspaceStates states() {
        return new WorkspaceStates(kept, () -> 1_000);
    }

    @Test
    void namesWhatChangedSinceAStateAlsoAfterARestart() throws Exception {
        Files.writeString(workspace.resolve("a"), "1");
        WorkspaceStates.Seen before = states().see(workspace, "");
        Files.writeString(workspace.resolve("b\nc"), "2");
        WorkspaceStates.Seen after = states().see(workspace, before.sha256());
        assertEquals(List.of("added: b\nc"), after.changes());
        assertEquals(after.sha256(), states().digest(workspace));
        assertEquals(2, after.entries());
    }

    @Test
    void aStateThatIsNotKeptOrWasTouchedIsSaidToBeUnknown() throws Exception {
        WorkspaceStates.Seen before = states().see(workspace, "");
        Files.writeString(workspace.resolve("a"), "1");
        String said = states().see(workspace, "f".repeat(64)).changes().get(0);
        assertTrue(said.contains("was not kept"), said);
        Path file = kept.resolve(before.sha256() + ".gz");
        Files.write(file, new byte[] {1, 2, 3});
        said = states().see(workspace, before.sha256()).changes().get(0);
        assertTrue(said.contains("was not kept"), said);
    }

    @Test
    void keepsAtMostSixtyFourStates() throws Exception {
        for (int i = 0; i < 70; i++) {
            Files.writeString(workspace.resolve("f" + i), "");
            states().see(workspace, "");
        }
        try (Stream<Path> files = Files.list(kept)) {
            assertEquals(64, files.count());
        }
    }

    @Test
    void aFolderThatCannotBeWrittenCostsTheNamesOfChangesOnly() throws Exception {
        Files.writeString(kept, "not a folder");
        assertEquals(64, states().see(workspace, "").sha256().length());
    }
}
