package palyra.shared.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandOutput;

class NewFileTest {
    @TempDir Path folder;
    private final List<String> notes = new ArrayList<>();
    private Path file;
    private Path part;

    @BeforeEach
    void name() {
        file = folder.resolve("export");
        part = folder.resolve("export.palyra-part");
    }

    private <T> T proxy(Class<T> type, String method, Object result) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, called, given) -> {
                            if (called.getName().equals("note")) {
                                notes.add((String) given[0]);
                                return null;
                            }
                            if (called.getName().equals("cancelled")) {
                                return false;
                            }
                            assertEquals(method, called.getName());
                            return result;
                        }));
    }

    private CommandContext context() {
        return proxy(CommandContext.class, "output", proxy(CommandOutput.class, "note", null));
    }

    private PalyraException refused(NewFile.Writer writer) {
        PalyraException e =
                assertThrows(PalyraException.class, () -> NewFile.write(context(), file, writer));
        assertFalse(Files.exists(file));
        return e;
    }

    @Test
    void aFileThatIsThereIsWhole() throws IOException {
        long written =
                NewFile.write(
                        context(),
                        file,
                        (out, cancelled) -> {
                            out.write(7);
                            assertTrue(Files.exists(part) && !Files.exists(file));
                            return 1;
                        });
        assertEquals(1, written);
        assertEquals(1, Files.size(file));
        assertFalse(Files.exists(part));
        assertEquals(List.of(), notes);
    }

    @Test
    void whatAKilledCommandLeftIsRemovedAndNamed() throws IOException {
        Files.writeString(part, "half");
        NewFile.write(context(), file, (out, cancelled) -> 0);
        assertEquals(0, Files.size(file));
        assertEquals(List.of("Removed " + part + ", which a command that was killed left."), notes);
    }

    @Test
    void aFileThatAnotherCommandWritesIsLeftToIt() throws IOException {
        NewFile.write(
                context(),
                file,
                (out, cancelled) -> {
                    out.write(7);
                    assertEquals(ErrorCode.CONFLICT, refused((o, c) -> 0).code());
                    return 1;
                });
        assertEquals(1, Files.size(file));
    }

    @Test
    void aFullMediumIsNamedAndNothingIsLeft() {
        PalyraException e =
                refused(
                        (out, cancelled) -> {
                            throw new IOException("No space left on device");
                        });
        assertEquals(ErrorCode.DISK_FULL, e.code());
        assertTrue(e.getMessage().contains("has no space left"), e.getMessage());
        assertFalse(Files.exists(part));
    }

    @Test
    void aCommandThatIsEndedIsNotBlamedOnTheMedium() {
        PalyraException e =
                refused(
                        (out, cancelled) -> {
                            throw new ClosedByInterruptException();
                        });
        assertEquals(ErrorCode.CANCELLED, e.code());
        assertFalse(Files.exists(part));
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        file = folder.resolve("none/export");
        PalyraException e = refused((out, cancelled) -> 0);
        assertEquals(ErrorCode.INVALID_ARGUMENT, e.code());
        assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    }
}
