package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.policy.PolicyProblem;
import palyra.shared.files.DurableFiles;

final class SetStoreTest {
    @TempDir private Path folder;

    /** Fails at one of its steps, as if the process were killed there. */
    private static final class DyingDisk extends DurableFiles {
        private final int dieAt;
        private int steps;

        DyingDisk(int dieAt) {
            this.dieAt = dieAt;
        }

        private void step() throws IOException {
            if (steps++ >= dieAt) {
                throw new IOException("killed");
            }
        }

        @Override
        public void makeFolder(Path made) throws IOException {
            step();
            super.makeFolder(made);
        }

        @Override
        public void writeNew(Path file, byte[] content) throws IOException {
            if (steps == dieAt) {
                super.writeNew(file, Arrays.copyOf(content, content.length / 2));
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
        public void sync(Path synced) throws IOException {
            step();
            super.sync(synced);
        }

        @Override
        public void delete(Path path) throws IOException {
            step();
            super.delete(path);
        }
    }

    private static CompiledSet set(String name) {
        TreeMap<String, byte[]> files = new TreeMap<>();
        files.put("default/schema.cedarschema", Stage.SCHEMA.getBytes(StandardCharsets.UTF_8));
        files.put("default/default.cedar", Stage.DEFAULTS.getBytes(StandardCharsets.UTF_8));
        files.put(
                "own.cedar",
                ("@id(\"" + name + "\") permit (principal, action, resource);")
                        .getBytes(StandardCharsets.UTF_8));
        List<PolicyProblem> problems = new ArrayList<>();
        return new SetCompiler()
                .compile(Stage.CEDAR, new SourceSet(files, new TreeSet<>()), problems)
                .orElseThrow(() -> new AssertionError(problems));
    }

    private static ActivePolicySet keeper(Path store, DurableFiles disk) {
        ActivePolicySet active =
                new ActivePolicySet(new SetStore(store, disk), "boot", () -> 1_000);
        active.open();
        return active;
    }

    private static void accept(ActivePolicySet active, CompiledSet set) throws IOException {
        active.accept(set, set.snapshot(active.stamp("files", "local-files")), false);
    }

    @Test
    void keepsEverythingThatASetNeeds() throws Exception {
        CompiledSet stored = set("one");
        accept(keeper(folder.resolve("s"), new DurableFiles()), stored);
        ActivePolicySet again = keeper(folder.resolve("s"), new DurableFiles());
        CompiledSet read = again.readLastGood();
        assertEquals(stored.sha256(), read.sha256());
        assertEquals(stored.policiesJson(), read.policiesJson());
        assertEquals(stored.schemaJson(), read.schemaJson());
        assertEquals(stored.origins(), read.origins());
        assertEquals(3, again.lastGoodSnapshot().orElseThrow().policies().policies().size());
    }

    @Test
    void aKillAtAnyStepLeavesTheOldSetOrTheNewOne() throws Exception {
        CompiledSet old = set("old");
        CompiledSet fresh = set("fresh");
        boolean finished = false;
        int died = 0;
        for (int step = 0; !finished; step++) {
            Path store = folder.resolve("s" + step);
            accept(keeper(store, new DurableFiles()), old);
            finished = survives(store, step, fresh);
            died += finished ? 0 : 1;
            ActivePolicySet next = keeper(store, new DurableFiles());
            assertEquals("", next.status().trouble(), "killed at step " + step);
            String found = next.readLastGood().sha256();
            assertTrue(List.of(old.sha256(), fresh.sha256()).contains(found), found);
            accept(next, fresh);
            assertEquals(fresh.sha256(), next.readLastGood().sha256());
            assertEquals(List.of(), leftovers(store), "killed at step " + step);
        }
        assertTrue(died > 12, "only " + died + " steps were tried");
    }

    private static boolean survives(Path store, int dieAt, CompiledSet fresh) {
        DyingDisk disk = new DyingDisk(dieAt);
        ActivePolicySet active = keeper(store, disk);
        try {
            accept(active, fresh);
            assertEquals(fresh.sha256(), active.readLastGood().sha256());
            return disk.steps <= dieAt;
        } catch (IOException e) {
            assertTrue(active.status().current().isEmpty(), "nothing came into force");
            return false;
        }
    }

    private static List<Path> leftovers(Path store) throws IOException {
        try (Stream<Path> all = Files.walk(store)) {
            return all.filter(path -> path.getFileName().toString().startsWith(".tmp-")).toList();
        }
    }

    @Test
    void refusesWhatWasChangedBehindItsBack() throws Exception {
        Path store = folder.resolve("s");
        CompiledSet set = set("one");
        accept(keeper(store, new DurableFiles()), set);
        Path place = store.resolve("sets").resolve(set.sha256());
        for (String name :
                List.of(
                        "files/own.cedar",
                        "files/default/default.cedar",
                        "compiled.json",
                        "schema.json",
                        "set.json")) {
            Path file = place.resolve(name);
            byte[] before = Files.readAllBytes(file);
            byte[] changed = before.clone();
            changed[changed.length / 2] ^= 1;
            Files.write(file, changed);
            refuses(store, set.sha256(), name);
            Files.delete(file);
            refuses(store, set.sha256(), name);
            Files.write(file, before);
        }
        assertEquals("", keeper(store, new DurableFiles()).status().trouble());
    }

    private static void refuses(Path store, String sha256, String name) {
        ActivePolicySet active = keeper(store, new DurableFiles());
        assertTrue(active.lastGoodSnapshot().isEmpty(), name);
        assertTrue(
                active.status().trouble().contains("is not what was stored"),
                active.status().trouble());
        assertEquals(
                ErrorCode.CORRUPT,
                assertThrows(PalyraException.class, () -> active.find(sha256)).code());
    }

    @Test
    void refusesABrokenIndexAndWritesANewOne() throws Exception {
        Path store = folder.resolve("s");
        accept(keeper(store, new DurableFiles()), set("one"));
        Files.writeString(store.resolve("current.json"), "{");
        ActivePolicySet active = keeper(store, new DurableFiles());
        assertFalse(active.status().trouble().isEmpty());
        accept(active, set("two"));
        assertEquals("", keeper(store, new DurableFiles()).status().trouble());
    }

    @Test
    void keepsTheNewestFiftyBesideTheCurrentOne() throws Exception {
        Path store = folder.resolve("s");
        ActivePolicySet active = keeper(store, new DurableFiles());
        CompiledSet first = set("first");
        accept(active, first);
        for (int i = 0; i < StoreIndex.KEPT + 3; i++) {
            accept(active, set("n" + i));
        }
        assertEquals(StoreIndex.KEPT + 1, active.status().index().entries().size());
        try (Stream<Path> sets = Files.list(store.resolve("sets"))) {
            assertEquals(StoreIndex.KEPT + 1, sets.count());
        }
        assertEquals(
                ErrorCode.NOT_FOUND,
                assertThrows(PalyraException.class, () -> active.find(first.sha256())).code());
    }
}
