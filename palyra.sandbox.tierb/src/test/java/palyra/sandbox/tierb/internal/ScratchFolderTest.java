package palyra.sandbox.tierb.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.FolderCalls;
import palyra.shared.confine.FolderIdentity;
import palyra.testing.sandbox.Launchers;

/** Where a call's folder for temporary files is made, and what its removal can reach. */
class ScratchFolderTest {
    private static final long MILLIS = 30_000;

    @TempDir Path folder;
    private FolderCalls calls;
    private Path workspace;
    private Path aside;
    private Path outside;
    private FolderIdentity identity;

    @BeforeEach
    void prepare() throws Exception {
        calls = Launchers.folders();
        Path root = folder.toRealPath();
        workspace = Files.createDirectory(root.resolve("wörkspace"));
        aside = root.resolve("aside");
        outside = Files.createDirectory(root.resolve("outside"));
        Files.writeString(outside.resolve("precious"), "kept");
        identity = FolderIdentity.of(workspace.toString());
    }

    private void exchange() throws IOException {
        Files.move(workspace, aside);
        Files.createSymbolicLink(workspace, outside);
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void isMadeForItsOwnerAndRemoved() throws IOException {
        try (ScratchFolder scratch = ScratchFolder.make(calls, identity, "call-1")) {
            Path made = workspace.resolve(".palyra-tmp-call-1");
            assertEquals(made.toString(), scratch.text());
            assertEquals(
                    "rwx------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
            assertEquals("*\n", Files.readString(made.resolve(".gitignore")));
            assertFalse(scratch.removeEmpty(), "it has a file for git");
            assertTrue(scratch.removeAll(MILLIS));
            assertEquals(List.of(), names(workspace));
            assertTrue(scratch.removeEmpty(), "it is gone already");
        }
    }

    @Test
    void isMadeAndRemovedInTheOpenWorkspaceWhereverItsPathLeadsNow() throws IOException {
        OpenWorkspace held = OpenWorkspace.open(calls, identity);
        exchange();
        try (ScratchFolder scratch = ScratchFolder.make(held, "call-1")) {
            assertEquals(List.of("precious"), names(outside));
            assertEquals(List.of(".palyra-tmp-call-1"), names(aside));
            Files.createDirectory(outside.resolve(".palyra-tmp-call-1"));
            Files.writeString(aside.resolve(".palyra-tmp-call-1/file"), "x");
            assertFalse(scratch.removeEmpty());
            assertTrue(scratch.removeAll(MILLIS));
            assertEquals(List.of(), names(aside));
            assertEquals(List.of(".palyra-tmp-call-1", "precious"), names(outside));
        }
    }

    @Test
    void refusesAWorkspaceThatBecameALinkOrAnotherFolder() throws IOException {
        exchange();
        denied();
        Files.delete(workspace);
        Files.createDirectory(workspace);
        denied();
        assertEquals(List.of(), names(workspace));
        assertEquals(List.of("precious"), names(outside));
        Files.delete(workspace);
        Files.move(aside, workspace);
        ScratchFolder.make(calls, identity, "call-1").close();
        assertEquals(List.of(".palyra-tmp-call-1"), names(workspace), "the positive control");
    }

    private void denied() {
        PalyraException refused =
                assertThrows(
                        PalyraException.class, () -> ScratchFolder.make(calls, identity, "call-1"));
        assertEquals(ErrorCode.DENIED, refused.code(), refused.getMessage());
    }

    @Test
    void refusesALinkAboveTheWorkspace() throws IOException {
        Path inner = Files.createDirectory(workspace.resolve("inner"));
        FolderIdentity wanted = FolderIdentity.of(inner.toString());
        Files.move(workspace, aside);
        Files.createSymbolicLink(workspace, aside);
        PalyraException refused =
                assertThrows(PalyraException.class, () -> OpenWorkspace.open(calls, wanted));
        assertEquals(ErrorCode.DENIED, refused.code());
    }

    @Test
    void refusesWhatIsThereAlreadyAndNamesThatClimb() throws IOException {
        Files.createSymbolicLink(workspace.resolve(".palyra-tmp-call-1"), outside);
        PalyraException taken =
                assertThrows(
                        PalyraException.class, () -> ScratchFolder.make(calls, identity, "call-1"));
        assertEquals(ErrorCode.CONFLICT, taken.code());
        Files.createDirectory(workspace.resolve(".palyra-tmp-x"));
        assertThrows(
                PalyraException.class,
                () -> ScratchFolder.make(calls, identity, "x/../../climbed"));
        assertFalse(Files.exists(workspace.resolveSibling("climbed")));
    }

    @Test
    void removalFollowsNoLink() throws IOException {
        Path made = workspace.resolve(".palyra-tmp-call-1");
        try (ScratchFolder scratch = ScratchFolder.make(calls, identity, "call-1")) {
            Path deep = Files.createDirectories(made.resolve("a/b"));
            Files.createSymbolicLink(deep.resolve("link"), outside);
            Files.createSymbolicLink(made.resolve("file"), outside.resolve("precious"));
            Files.createLink(deep.resolve("hard"), outside.resolve("precious"));
            Files.writeString(deep.resolve("plain"), "x");
            assertTrue(scratch.removeAll(MILLIS));
        }
        assertEquals(List.of(), names(workspace));
        assertEquals("kept", Files.readString(outside.resolve("precious")));
    }

    @Test
    void removalTakesALinkInItsPlaceAwayAndNotWhatItLeadsTo() throws IOException {
        Path made = workspace.resolve(".palyra-tmp-call-1");
        try (ScratchFolder scratch = ScratchFolder.make(calls, identity, "call-1")) {
            Files.delete(made.resolve(".gitignore"));
            Files.delete(made);
            Files.createSymbolicLink(made, outside);
            assertTrue(scratch.removeAll(MILLIS));
        }
        assertFalse(Files.exists(made, LinkOption.NOFOLLOW_LINKS));
        assertEquals(List.of("precious"), names(outside));
    }

    @Test
    void removalGivesUpAtWhatIsTooDeepAndSaysSo() throws IOException {
        Path deep = workspace.resolve(".palyra-tmp-call-1");
        try (ScratchFolder scratch = ScratchFolder.make(calls, identity, "call-1")) {
            for (int at = 0; at < 80; at++) {
                deep = deep.resolve("d");
            }
            Files.createDirectories(deep);
            assertFalse(scratch.removeAll(MILLIS));
            assertTrue(Files.exists(deep));
        }
    }

    @Test
    void givesItsDescriptorsBack() throws IOException {
        int before = names(Path.of("/proc/self/fd")).size();
        for (int at = 0; at < 200; at++) {
            try (ScratchFolder scratch = ScratchFolder.make(calls, identity, "call-" + at)) {
                scratch.removeAll(MILLIS);
            }
        }
        assertThrows(
                PalyraException.class, () -> ScratchFolder.make(calls, identity, "not/a/name"));
        int after = names(Path.of("/proc/self/fd")).size();
        assertTrue(after < before + 50, before + " before, " + after + " after");
    }
}
