package palyra.backup.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class StateFilesTest {
    @TempDir Path temp;
    private Path state;
    private Path draft;

    @BeforeEach
    void fill() throws IOException {
        state = temp.resolve("state");
        draft = temp.resolve("draft");
        Files.createDirectory(draft);
        for (String name :
                List.of(
                        "vault/head",
                        "policies/own.cedar",
                        "cache/x",
                        "cache-aot/palyra.aot",
                        "home/1/bin/palyra",
                        "journal/journal.db",
                        "restored.json",
                        "lock",
                        "skills/cache/kept")) {
            write(name, "first");
        }
    }

    private void write(String name, String text) throws IOException {
        Path file = state.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private boolean has(String name) {
        return Files.exists(draft.resolve(name));
    }

    @Test
    void leavesOutWhatIsMadeAgain() throws IOException {
        new StateFiles(state).copyAround(draft, () -> false, () -> {});
        assertTrue(has("vault/head") && has("policies/own.cedar") && has("skills/cache/kept"));
        for (String name :
                List.of("cache", "cache-aot", "home", "journal", "restored.json", "lock")) {
            assertFalse(has(name), name);
        }
    }

    @Test
    void namesWhatCannotBeCopied() throws IOException {
        Files.createSymbolicLink(state.resolve("policies/loop"), state.resolve("policies"));
        PalyraException loop = assertThrows(PalyraException.class, this::copy);
        assertTrue(loop.getMessage().contains("policies/loop"), loop.getMessage());
        Files.delete(state.resolve("policies/loop"));
        Path secret = state.resolve("vault/head");
        Files.setPosixFilePermissions(secret, Set.of());
        assumeFalse(Files.isReadable(secret), "this user reads every file");
        PalyraException unreadable = assertThrows(PalyraException.class, this::copy);
        assertTrue(unreadable.getMessage().contains("vault/head"), unreadable.getMessage());
    }

    private void copy() throws IOException {
        new StateFiles(state).copyAround(draft, () -> false, () -> {});
    }

    @Test
    void copiesTheJournalAgainWhenAFileChangedMeanwhile() throws IOException {
        AtomicInteger copies = new AtomicInteger();
        new StateFiles(state)
                .copyAround(
                        draft,
                        () -> false,
                        () -> {
                            if (copies.incrementAndGet() == 1) {
                                write("vault/head", "second, which is longer");
                            }
                        });
        assertEquals(2, copies.get());
        assertEquals("second, which is longer", Files.readString(draft.resolve("vault/head")));
    }

    @Test
    void copiesAgainWhenAFileWentMeanwhile() throws IOException {
        AtomicInteger copies = new AtomicInteger();
        new StateFiles(state)
                .copyAround(
                        draft,
                        () -> false,
                        () -> {
                            copies.incrementAndGet();
                            Files.deleteIfExists(state.resolve("policies/own.cedar"));
                        });
        assertEquals(2, copies.get());
        assertFalse(has("policies/own.cedar"));
    }

    @Test
    void givesUpWhenFilesChangeAllTheTime() {
        AtomicInteger copies = new AtomicInteger();
        PalyraException e =
                assertThrows(
                        PalyraException.class,
                        () ->
                                new StateFiles(state)
                                        .copyAround(
                                                draft,
                                                () -> false,
                                                () ->
                                                        write(
                                                                "vault/head",
                                                                "x"
                                                                        .repeat(
                                                                                copies
                                                                                        .incrementAndGet()))));
        assertEquals(ErrorCode.CONFLICT, e.code());
        assertEquals(10, copies.get());
    }
}
