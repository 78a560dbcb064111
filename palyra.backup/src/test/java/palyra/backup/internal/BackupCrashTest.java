package palyra.backup.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.backup.internal.restore.Restores;
import palyra.testing.command.FakeCommandContext;

/**
 * A backup is killed before each of its files: the store lost nothing, there is no backup, and the
 * next one works and names what it found.
 */
class BackupCrashTest {
    @TempDir Path temp;

    @Test
    void aKilledBackupHarmsNothingAndIsBegunAgain() throws Exception {
        Path state = temp.resolve("state");
        Source.make(state);
        int kills = 0;
        int remains = 0;
        Path file = temp.resolve("backup-0");
        while (KilledChild.run(BackupChild.class, state.toString(), file.toString(), "" + kills)
                .equals("step")) {
            assertFalse(Files.exists(file));
            Source.requireWhole(state);
            Path part = temp.resolve(file.getFileName() + ".palyra-part");
            boolean left = Files.exists(part);
            remains += left ? 1 : 0;
            FakeCommandContext context = Source.arguments(file).flag("plain").build();
            try (Source source = Source.open(state)) {
                assertEquals(0, source.backup(context));
            }
            assertEquals(
                    left,
                    context.output().notes().stream()
                            .anyMatch(note -> note.startsWith("Removed " + part)),
                    context.output().notes().toString());
            assertFalse(Files.exists(part));
            restores(file, temp.resolve("restored-" + kills));
            kills++;
            file = temp.resolve("backup-" + kills);
        }
        assertTrue(kills >= 9, kills + " kills");
        assertTrue(remains >= 5, remains + " times a part of a file was left");
        restores(file, temp.resolve("restored"));
    }

    private static void restores(Path file, Path state) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            Restores.into(state, in, Source.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
        }
        Source.requireWhole(state);
    }
}
