package palyra.skills.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.skills.internal.store.SkillRecord;
import palyra.skills.internal.store.SkillState;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

/** Killed, or out of space, at each step of each change: the old state or the new one is there. */
class CrashTest {
    private static final byte[] FIRST = new Samples().signed();
    private static final byte[] SECOND = new Samples().version("1.1.0").signed();
    private static final byte[] LAST = new Samples().version("9.0.0").signed();

    @TempDir Path temp;
    private int round;

    /** The process is gone: nothing that comes after happens. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Dies or finds no space at a chosen step. */
    private static final class Faulty extends DurableFiles {
        private int steps;
        private int dieAt = Integer.MAX_VALUE;
        private int fullAt = Integer.MAX_VALUE;

        private void step() throws IOException {
            int now = steps++;
            if (now >= dieAt) {
                throw new Killed();
            }
            if (now == fullAt) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public void makeFolder(Path folder) throws IOException {
            step();
            super.makeFolder(folder);
        }

        @Override
        public void writeNew(Path file, byte[] content) throws IOException {
            int now = steps;
            if (now == dieAt) { // half of it is there
                super.writeNew(file, java.util.Arrays.copyOf(content, content.length / 2));
            }
            step();
            super.writeNew(file, content);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            step();
            super.rename(from, to);
        }

        @Override
        public void sync(Path folder) throws IOException {
            step();
            super.sync(folder);
        }

        @Override
        public void delete(Path path) throws IOException {
            step();
            super.delete(path);
        }
    }

    private void atEachStep(
            boolean kill, Consumer<SkillFixture> before, Consumer<SkillFixture> change)
            throws Exception {
        int hit = 0;
        boolean finished = false;
        for (int step = 0; step < 40 && !finished; step++) {
            Path state = Files.createDirectories(temp.resolve("round-" + round++));
            MemoryJournal journal = new MemoryJournal();
            MemoryKeys keys = new MemoryKeys();
            Faulty disk = new Faulty();
            try (SkillFixture fixture = new SkillFixture(state, journal, keys, disk)) {
                before.accept(fixture);
                disk.steps = 0;
                if (kill) {
                    disk.dieAt = step;
                } else {
                    disk.fullAt = step;
                }
                change.accept(fixture);
                finished = disk.steps <= step;
                hit += finished ? 0 : 1;
            } catch (Killed | PalyraException e) {
                hit++;
            }
            check(state, journal, keys, finished);
        }
        assertTrue(finished, "it never came to its end");
        assertTrue(hit > 2, "only " + hit + " steps");
    }

    /** Whatever is recorded as active loads; the rest of life goes on. */
    private static void check(
            Path state, MemoryJournal journal, MemoryKeys keys, boolean finished) {
        try (SkillFixture again = new SkillFixture(state, journal, keys, new DurableFiles())) {
            for (SkillRecord record : again.inventory().all()) {
                if (record.active()) {
                    assertEquals(record.id(), again.loader().load(record.id()).id());
                } else {
                    assertTrue(Files.exists(again.artifact(record)));
                }
            }
            List<SkillRecord> all = again.inventory().all();
            assertTrue(!finished || !all.isEmpty());
            boolean present = all.stream().anyMatch(r -> r.id().version().equals("1.0.0"));
            if (!present) {
                again.active(FIRST);
            } else {
                again.lifecycle().enable(SkillFixture.OPERATOR, SkillFixture.ID, "");
            }
            again.loader().load(SkillFixture.ID);
            again.active(LAST);
            assertEquals(1, again.loader().active().size());
        }
        try (SkillFixture third = new SkillFixture(state, journal, keys, new DurableFiles())) {
            assertEquals("9.0.0", third.loader().active().get(0).version());
        }
    }

    @Test
    void killedWhileInstalling() throws Exception {
        atEachStep(true, fixture -> {}, fixture -> fixture.install(FIRST));
    }

    @Test
    void withoutSpaceWhileInstalling() throws Exception {
        atEachStep(false, fixture -> {}, fixture -> fixture.install(FIRST));
    }

    @Test
    void killedWhileEnablingAnUpdate() throws Exception {
        atEachStep(true, fixture -> fixture.active(FIRST), fixture -> fixture.active(SECOND));
    }

    @Test
    void killedAfterAnyUnitOfAnUpdateOneVersionIsInUseAndNoneWaits() throws Exception {
        int units = 0;
        boolean finished = false;
        while (!finished) {
            Path state = Files.createDirectories(temp.resolve("update-" + units));
            MemoryJournal journal = new MemoryJournal();
            MemoryKeys keys = new MemoryKeys();
            Path file = Files.write(temp.resolve("second.palyra-skill"), SECOND);
            try (SkillFixture fixture =
                    new SkillFixture(state, journal, keys, new DurableFiles())) {
                fixture.active(FIRST);
                AtomicInteger left = new AtomicInteger(units);
                journal.afterUnit(
                        (unit, committed) -> {
                            if (left.getAndDecrement() == 0) {
                                throw new Killed();
                            }
                        });
                FakeCommandContext.builder()
                        .workingFolder(temp.toString())
                        .positionals(file.getFileName().toString())
                        .flag("yes")
                        .build()
                        .run(fixture.command("update"));
                finished = true;
            } catch (Killed e) {
                units++;
            }
            journal.afterUnit((unit, committed) -> {});
            try (SkillFixture again = new SkillFixture(state, journal, keys, new DurableFiles())) {
                assertEquals("1.1.0", again.loader().active().get(0).version());
                assertEquals(
                        List.of(SkillState.DISABLED, SkillState.ACTIVE),
                        again.inventory().all().stream()
                                .map(record -> record.standing().state())
                                .toList());
            }
        }
        assertEquals(1, units, "an update is one unit");
    }

    @Test
    void killedWhileUpdating() throws Exception {
        atEachStep(
                true,
                fixture -> fixture.active(FIRST),
                fixture -> {
                    fixture.installer()
                            .install(
                                    SkillFixture.OPERATOR,
                                    fixture.installer().plan(SECOND, true),
                                    "test",
                                    true,
                                    "");
                    assertEquals("1.1.0", fixture.loader().active().get(0).version());
                });
    }

    @Test
    void killedWhileRemoving() throws Exception {
        atEachStep(
                true,
                fixture -> {
                    fixture.active(FIRST);
                    fixture.active(SECOND);
                },
                fixture ->
                        fixture.lifecycle()
                                .remove(
                                        SkillFixture.OPERATOR,
                                        List.of(
                                                fixture.inventory()
                                                        .resolve("acme.weather@1.1.0"))));
    }
}
