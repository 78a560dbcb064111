package palyra.backup.internal.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.backup.internal.KilledChild;
import palyra.backup.internal.archive.Manifest;

/**
 * A restoration is killed at each of its steps: the state folder is as it was or complete, and the
 * next restoration works and names what it found.
 */
class RestoreCrashTest {
    @TempDir Path temp;
    private Path source;
    private Path file;
    private byte[] backup;

    @BeforeEach
    void write() throws IOException {
        source = Sample.source(temp.resolve("source"), 70_000);
        backup = Sample.backup(source, true);
        file = Files.write(temp.resolve("backup"), backup);
    }

    @Test
    void aKilledRestorationLeavesAllOrNothingAndIsBegunAgain() throws Exception {
        TreeSet<String> steps = new TreeSet<>();
        int kills = 0;
        String step;
        do {
            Path state = temp.resolve("place-" + kills + "/state");
            boolean wasThere = kills % 2 == 0;
            if (wasThere) {
                Files.createDirectories(state);
            }
            step =
                    KilledChild.run(
                            RestoringChild.class, state.toString(), file.toString(), "" + kills);
            if (step.equals("done")) {
                break;
            }
            steps.add(step);
            kills++;
            boolean complete = Files.exists(state.resolve(Manifest.NAME));
            if (complete) {
                assertFalse(Files.exists(Sample.draft(state)));
            } else {
                assertEquals(wasThere, Files.exists(state), step);
                again(state, step);
            }
            assertEquals(Sample.content(source), Sample.content(state), step);
        } while (true);
        assertEquals("[file, folder, force, rename, sync]", steps.toString());
        assertTrue(kills > 15, kills + " kills");
    }

    private void again(Path state, String step) throws IOException {
        List<String> notes = new ArrayList<>();
        boolean remains = Files.exists(Sample.draft(state));
        Sample.restore(state, new ByteArrayInputStream(backup), Sample.UNFORCED, notes);
        assertEquals(remains ? 1 : 0, notes.size(), step + notes);
        assertFalse(Files.exists(Sample.draft(state)));
    }

    /** Half of what was left may be gone when the next one dies too. */
    @Test
    void aRestorationThatIsKilledWhileItRemovesRemainsIsBegunAgain() throws Exception {
        Path state = temp.resolve("place/state");
        Files.createDirectories(Sample.draft(state).resolve("journal"));
        Files.writeString(Sample.draft(state).resolve("journal/half"), "x");
        assertEquals(
                "delete",
                KilledChild.run(RestoringChild.class, state.toString(), file.toString(), "0"));
        again(state, "delete");
        assertEquals(Sample.content(source), Sample.content(state));
    }
}
