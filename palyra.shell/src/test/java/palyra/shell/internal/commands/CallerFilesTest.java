package palyra.shell.internal.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.shared.files.CallerFiles;
import palyra.testing.command.FakeCommandContext;

class CallerFilesTest {
    @TempDir Path folder;
    private Path state;

    @BeforeEach
    void makeState() throws Exception {
        state = Files.createDirectories(folder.resolve("state"));
    }

    private Path file(FakeCommandContext.Builder caller, String name) {
        return CallerFiles.file(caller.build(), name, "use -", state);
    }

    private FakeCommandContext.Builder caller() {
        return FakeCommandContext.builder().workingFolder(folder.toString());
    }

    private PalyraException refused(FakeCommandContext.Builder caller, String name) {
        return assertThrows(PalyraException.class, () -> file(caller, name));
    }

    @Test
    void aNameIsRelativeToTheCallersFolderAndNeedNotExist() {
        assertEquals(folder.resolve("new.json"), file(caller(), "sub/../new.json"));
        Path whole = folder.resolve("whole").toAbsolutePath();
        assertEquals(whole, file(caller().workingFolder("/"), whole.toString()));
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                refused(FakeCommandContext.builder(), "new.json").code());
        assertEquals(ErrorCode.INVALID_ARGUMENT, refused(caller(), "a\0b").code());
    }

    @Test
    void nothingInTheStateFolderIsReadOrWrittenForACaller() throws Exception {
        Files.createSymbolicLink(folder.resolve("link"), state);
        for (String name : new String[] {"state", "state/keys/x", "x/../state/y", "link/keys"}) {
            assertTrue(refused(caller(), name).getMessage().contains("state folder"), name);
        }
        assertEquals(folder.resolve("states"), file(caller(), "states"));
    }

    @Test
    void onlyAnOperatorNamesFiles() {
        Principal other =
                new Principal("user:eve", PrincipalKind.USER, Set.of("viewer"), Set.of(), "test");
        PalyraException e = refused(caller().principal(other), "x");
        assertEquals(ErrorCode.DENIED, e.code());
        assertTrue(e.getMessage().contains("use -"), e.getMessage());
    }
}
