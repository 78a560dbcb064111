package palyra.sandbox.posix.internal.cgroup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.GroupLimits;

/** Cgroups of version 2 with all controllers, in folders that behave like the kernel's. */
class CgroupsTest {
    private static final GroupLimits LIMITS = new GroupLimits(1 << 20, 9, true);

    @TempDir Path mount;
    private final List<Long> killed = new ArrayList<>();
    private final FakeFiles files = new FakeFiles();

    /** A new folder has the files of a cgroup and can be removed with them. */
    private static final class FakeFiles extends CgroupFiles {
        private String broken = "";

        @Override
        void make(Path folder) throws IOException {
            super.make(folder);
            fill(folder);
        }

        static void fill(Path folder) throws IOException {
            for (String file :
                    List.of(
                            "cgroup.procs",
                            "cgroup.subtree_control",
                            "cgroup.kill",
                            "memory.max",
                            "memory.swap.max",
                            "memory.oom.group",
                            "pids.max")) {
                Files.createFile(folder.resolve(file));
            }
            Files.writeString(folder.resolve("cpu.stat"), "usage_usec 1234567\nuser_usec 1\n");
            Files.writeString(folder.resolve("memory.peak"), "4096\n");
            Files.writeString(folder.resolve("memory.events"), "oom 1\noom_kill 0\n");
        }

        @Override
        void write(Path folder, String file, String value) throws IOException {
            if (file.equals(broken)) {
                throw new IOException("the kernel refused " + file);
            }
            super.write(folder, file, value);
            if (file.equals("cgroup.kill")) {
                Files.writeString(folder.resolve("cgroup.procs"), "");
            }
        }

        @Override
        void remove(Path folder) throws IOException {
            if (Files.size(folder.resolve("cgroup.procs")) > 0) {
                throw new IOException("busy");
            }
            try (Stream<Path> all = Files.list(folder)) {
                for (Path each : all.filter(Files::isRegularFile).toList()) {
                    Files.delete(each);
                }
            }
            super.remove(folder);
        }
    }

    private Path base(String controllers) throws IOException {
        Path base = Files.createDirectory(mount.resolve("palyra"));
        FakeFiles.fill(base);
        Files.writeString(base.resolve("cgroup.subtree_control"), controllers);
        return base;
    }

    private CgroupRoots find(Optional<String> named) {
        return new CgroupFinder(files, mount, mount.resolve("self"), named).find();
    }

    /** The fake keeps what is written last; the kernel would add it up. */
    private CgroupRoots all(Path base) {
        return new CgroupRoots("v2", base, Map.of("memory", base, "pids", base, "cpu", base));
    }

    private Cgroups groups(CgroupRoots roots) {
        return new Cgroups(files, roots, killed::add, pid -> true);
    }

    @Test
    void limitsAreWrittenAndUseIsRead() throws IOException {
        Path base = base("");
        Cgroup group = groups(all(base)).create("palyra-x", LIMITS).orElseThrow();
        Path folder = base.resolve("palyra-x");
        assertEquals("1048576", Files.readString(folder.resolve("memory.max")));
        assertEquals("0", Files.readString(folder.resolve("memory.swap.max")));
        assertEquals("1", Files.readString(folder.resolve("memory.oom.group")));
        assertEquals("9", Files.readString(folder.resolve("pids.max")));
        assertEquals(List.of(folder.resolve("cgroup.procs").toString()), group.joinFiles());
        assertEquals("v2(cpu,memory,pids)", group.words());
        assertEquals(1234, group.cpuMillis());
        assertEquals(4096, group.peakBytes());
        assertEquals(0, group.killedForMemory());
        Files.writeString(folder.resolve("memory.events"), "oom 1\noom_kill 2\n");
        assertEquals(2, group.killedForMemory());
        assertTrue(group.remove(1000));
        assertFalse(Files.exists(folder));
    }

    @Test
    void aKillEndsEverythingAtOnce() throws IOException {
        Path base = base("");
        Cgroup group = groups(all(base)).create("palyra-x", LIMITS).orElseThrow();
        Files.writeString(base.resolve("palyra-x/cgroup.procs"), "11\n12\n0\n");
        assertEquals(2, group.size());
        assertEquals(0, group.kill(System.nanoTime() + 30_000_000_000L));
        assertEquals("1", Files.readString(base.resolve("palyra-x/cgroup.kill")));
        assertEquals(List.of(), killed);
    }

    @Test
    void withoutThatFileEachProcessIsKilledAndWhoStaysIsCounted() throws IOException {
        Path base = base("");
        Cgroup group = groups(all(base)).create("palyra-x", LIMITS).orElseThrow();
        Files.delete(base.resolve("palyra-x/cgroup.kill"));
        Files.writeString(base.resolve("palyra-x/cgroup.procs"), "11\n12\n");
        assertEquals(2, group.kill(System.nanoTime()));
        assertEquals(List.of(11L, 12L), killed);
        assertFalse(group.remove(1));
    }

    @Test
    void aLimitThatTheKernelRefusesIsLeftOutOnlyIfItMayBe() throws IOException {
        Path base = base("");
        files.broken = "memory.max";
        PalyraException refused =
                assertThrows(
                        PalyraException.class, () -> groups(all(base)).create("palyra-x", LIMITS));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
        assertFalse(Files.exists(base.resolve("palyra-x")));
        GroupLimits wished = new GroupLimits(1 << 20, 9, false);
        assertTrue(groups(all(base)).create("palyra-x", wished).isEmpty());
        assertFalse(Files.exists(base.resolve("palyra-x")));
    }

    @Test
    void aControllerThatIsRequiredMustBeThere() {
        for (GroupLimits limits :
                List.of(new GroupLimits(1, 0, true), new GroupLimits(0, 1, true))) {
            assertThrows(
                    PalyraException.class,
                    () -> groups(CgroupRoots.NONE).create("palyra-x", limits));
        }
        GroupLimits wished = new GroupLimits(1, 1, false);
        assertTrue(groups(CgroupRoots.NONE).create("palyra-x", wished).isEmpty());
    }

    @Test
    void theNamedPlaceIsUsed() throws IOException {
        Path base = base("memory pids cpu");
        files.broken = "cgroup.subtree_control"; // it cannot be changed, only read
        CgroupRoots roots = find(Optional.of(base.toString()));
        assertEquals("v2", roots.version());
        assertEquals(Set.of("memory", "pids", "cpu"), roots.names());
    }

    @Test
    void aPlaceThatIsNotOursIsNotUsed() throws IOException {
        assertEquals(CgroupRoots.NONE, find(Optional.of(mount.resolve("nowhere").toString())));
        assertEquals(CgroupRoots.NONE, find(Optional.of("relative/path")));
        assertEquals(CgroupRoots.NONE, find(Optional.of("v1:nowhere")));
        Files.createDirectories(mount.resolve("memory"));
        Files.createDirectories(mount.resolve("other"));
        assertEquals(CgroupRoots.NONE, find(Optional.of("v1:../other")));
        assertEquals(CgroupRoots.NONE, find(Optional.empty()));
    }

    @Test
    void theFirstVersionTakesWhatThereIs() throws IOException {
        Files.createDirectories(mount.resolve("memory/palyra"));
        Path cpu = Files.createDirectories(mount.resolve("cpu,cpuacct/palyra"));
        Files.createDirectories(mount.resolve("cpuacct/palyra")); // counts nothing
        Files.writeString(cpu.resolve("cpuacct.usage"), "1\n");
        CgroupRoots roots = find(Optional.of("v1:palyra"));
        assertEquals("v1", roots.version());
        assertEquals(Set.of("memory", "cpu"), roots.names());
        assertEquals(cpu, roots.controllers().get("cpu"));
    }

    @Test
    void aDelegatedGroupOfItsOwnIsUsedFromALeaf() throws IOException {
        Path base = base("");
        Files.writeString(base.resolve("cgroup.procs"), "4711\n");
        Path self = Files.createDirectory(mount.resolve("self"));
        Files.writeString(self.resolve("cgroup"), "1:name=x:/\n0::/palyra\n");
        Files.writeString(
                self.resolve("mountinfo"),
                "30 23 0:26 / " + mount + " rw,nosuid shared:9 - cgroup2 cgroup2 rw\n");
        CgroupRoots roots = find(Optional.empty());
        assertEquals("v2", roots.version());
        assertEquals(base, roots.base());
        assertEquals("4711", Files.readString(base.resolve("gateway/cgroup.procs")));
        Files.writeString(self.resolve("cgroup"), "0::/palyra/gateway\n");
        assertEquals(base, find(Optional.empty()).base());
        Files.writeString(self.resolve("cgroup"), "0::/\n");
        assertEquals(CgroupRoots.NONE, find(Optional.empty()));
    }

    @Test
    void onlyWhatNobodyOwnsIsCleared() throws IOException {
        Path base = base("");
        Cgroups groups = groups(all(base));
        groups.create("palyra-old", LIMITS);
        groups.create("palyra-new", LIMITS);
        Files.writeString(base.resolve("palyra-old/cgroup.procs"), "21\n22\n");
        assertEquals(2, groups.clear(name -> name.equals("palyra-old"), 1000));
        assertFalse(Files.exists(base.resolve("palyra-old")));
        assertTrue(Files.exists(base.resolve("palyra-new")));
    }
}
