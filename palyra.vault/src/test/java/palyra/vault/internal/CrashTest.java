package palyra.vault.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.vault.SecretReach;
import palyra.testing.journal.MemoryJournal;

/** Killed, or out of space, at each step of each change: the old state or the new one is there. */
class CrashTest {
    private static final int MOST_STEPS = 200;

    @TempDir Path temp;

    private int round;

    private interface Check {
        void of(VaultFixture house, boolean before, boolean after);
    }

    private void killAtEachStep(Consumer<VaultFixture> change, Check check) throws Exception {
        int killed = 0;
        boolean finished = false;
        for (int step = 0; step < MOST_STEPS && !finished; step++) {
            Path state = Files.createDirectories(temp.resolve("kill-" + round++));
            MemoryJournal journal = new MemoryJournal();
            VaultFixture house = prepared(state, journal);
            house.files.dieAt(step);
            try {
                change.accept(house);
                finished = true;
            } catch (FaultyMedium.Killed e) {
                killed++;
            }
            house.close(); // the kernel gives the lock back
            try (VaultFixture again = new VaultFixture(state, journal)) {
                check.of(again, finished, finished);
                again.put("global/later", "still works");
                assertEquals("still works", again.get("global/later"));
                again.rotate();
                assertEquals("still works", again.get("global/later"));
                assertEquals("bystander", again.get("global/other"));
                assertEquals(files(state), again.core.status().secrets());
            }
            try (VaultFixture third = new VaultFixture(state, journal)) {
                assertEquals("bystander", third.get("global/other"));
                assertEquals(0, third.core.status().pending());
            }
        }
        assertTrue(finished, "it never came to its end");
        assertTrue(killed > 3, "only " + killed + " steps");
    }

    private static long files(Path state) throws Exception {
        try (Stream<Path> values = Files.list(state.resolve("vault/values"))) {
            return values.count();
        }
    }

    private static VaultFixture prepared(Path state, MemoryJournal journal) {
        VaultFixture house = new VaultFixture(state, journal);
        house.put("global/a", "0ld-vAlue-7Q4x9Z");
        house.put("global/other", "bystander");
        return house;
    }

    @Test
    void killedWhilePutting() throws Exception {
        killAtEachStep(
                house -> house.put("global/a", "n3w-vAlue-8W5y2K"),
                (house, before, done) -> {
                    String there = house.get("global/a");
                    assertTrue(
                            there.equals("n3w-vAlue-8W5y2K")
                                    || (!done && there.equals("0ld-vAlue-7Q4x9Z")),
                            there);
                });
    }

    @Test
    void killedWhilePuttingTheFirstOfAName() throws Exception {
        killAtEachStep(
                house -> house.put("global/b", "n3w-vAlue-8W5y2K"),
                (house, before, done) -> {
                    try {
                        assertEquals("n3w-vAlue-8W5y2K", house.get("global/b"));
                    } catch (PalyraException e) {
                        assertEquals(ErrorCode.NOT_FOUND, e.code());
                        assertTrue(!done);
                    }
                });
    }

    @Test
    void killedWhileDeleting() throws Exception {
        killAtEachStep(
                house -> house.delete("global/a"),
                (house, before, done) -> {
                    try {
                        assertEquals("0ld-vAlue-7Q4x9Z", house.get("global/a"));
                        assertTrue(!done);
                    } catch (PalyraException e) {
                        assertEquals(ErrorCode.NOT_FOUND, e.code());
                    }
                });
    }

    @Test
    void killedWhileRotating() throws Exception {
        killAtEachStep(
                VaultFixture::rotate,
                (house, before, done) -> {
                    assertEquals("0ld-vAlue-7Q4x9Z", house.get("global/a"));
                    while (house.rotation.step()) {
                        assertEquals("0ld-vAlue-7Q4x9Z", house.get("global/a"));
                    }
                    assertEquals(0, house.core.status().pending());
                    if (done) {
                        assertEquals(2, house.core.status().keyVersion());
                    }
                });
    }

    @Test
    void killedWhileItIsMade() throws Exception {
        for (int step = 0; step < 20; step++) {
            Path state = Files.createDirectories(temp.resolve("make-" + step));
            MemoryJournal journal = new MemoryJournal();
            try (VaultFixture house = new VaultFixture(state, journal)) {
                house.files.dieAt(step);
                house.core.changing(vault -> null);
            } catch (FaultyMedium.Killed e) {
                // as asked
            }
            try (VaultFixture again = new VaultFixture(state, journal)) {
                again.put("global/a", "value");
                assertEquals("value", again.get("global/a"));
            }
        }
    }

    @Test
    void withoutSpaceNothingIsLostAndItGoesOnWhenThereIsSome() throws Exception {
        int full = 0;
        for (int step = 0; step < 30; step++) {
            Path state = Files.createDirectories(temp.resolve("full-" + step));
            MemoryJournal journal = new MemoryJournal();
            try (VaultFixture house = prepared(state, journal)) {
                house.files.fullAt(step);
                boolean done = true;
                try {
                    house.put("global/a", "n3w-vAlue-8W5y2K");
                } catch (PalyraException e) {
                    assertEquals(ErrorCode.DISK_FULL, e.code(), e.getMessage());
                    done = false;
                    full++;
                }
                house.files.fullAt(Integer.MAX_VALUE);
                String there = house.get("global/a");
                assertTrue(done ? there.equals("n3w-vAlue-8W5y2K") : !there.isEmpty(), there);
                assertEquals(
                        there,
                        house.known.find("is " + there, SecretReach.of("global")).isEmpty()
                                ? "?"
                                : there);
                house.put("global/a", "newer value");
                assertEquals("newer value", house.get("global/a"));
                assertEquals("bystander", house.get("global/other"));
            }
        }
        assertNotEquals(0, full);
    }

    @Test
    void rotationRunsOutOfSpaceAndGoesOn() throws Exception {
        for (int step = 0; step < 25; step++) {
            Path state = Files.createDirectories(temp.resolve("rotate-" + step));
            MemoryJournal journal = new MemoryJournal();
            try (VaultFixture house = prepared(state, journal)) {
                house.files.fullAt(step);
                try {
                    house.rotate();
                } catch (PalyraException e) {
                    assertEquals(ErrorCode.DISK_FULL, e.code(), e.getMessage());
                }
                house.files.fullAt(Integer.MAX_VALUE);
                assertEquals("0ld-vAlue-7Q4x9Z", house.get("global/a"));
                house.rotate();
                assertEquals("0ld-vAlue-7Q4x9Z", house.get("global/a"));
                assertEquals(0, house.core.status().pending());
            }
        }
    }

    @Test
    void aReadAtAnyStepOfAChangeLeavesTheVaultOpen() throws Exception {
        Path state = Files.createDirectories(temp.resolve("read"));
        try (VaultFixture house = prepared(state, new MemoryJournal())) {
            OpenVault open = house.opening.require();
            List<String> seen = new ArrayList<>();
            house.files.meanwhile(
                    () -> {
                        seen.add(house.get("global/other"));
                        assertSame(open, house.opening.require());
                    });
            house.put("global/a", "n3w-vAlue-8W5y2K");
            house.rotate();
            house.delete("global/a");
            assertTrue(seen.size() > 10, "only " + seen.size() + " steps");
        }
    }

    @Test
    void aSecretIsUsedWhileItIsRotatedAndReplaced() throws Exception {
        Path state = Files.createDirectories(temp.resolve("busy"));
        try (VaultFixture house = new VaultFixture(state, new MemoryJournal())) {
            house.put("global/a", "value 0");
            Thread writer =
                    new Thread(
                            () -> {
                                for (int i = 1; i < 60; i++) {
                                    house.put("global/a", "value " + i);
                                    if (i % 10 == 0) {
                                        house.rotate();
                                    }
                                }
                            });
            writer.start();
            while (writer.isAlive()) {
                assertTrue(house.get("global/a").startsWith("value "));
            }
            writer.join();
            assertEquals("value 59", house.get("global/a"));
            assertThrows(PalyraException.class, () -> house.get("global/none"));
        }
    }
}
