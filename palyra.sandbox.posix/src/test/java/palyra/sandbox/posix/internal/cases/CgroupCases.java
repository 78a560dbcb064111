package palyra.sandbox.posix.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.posix.internal.Bench;
import palyra.sandbox.posix.internal.Plans;

/** Real cgroups, in the place that {@code PALYRA_CGROUP} names. */
class CgroupCases {
    private static final long MIB = 1 << 20;

    private static void needs(Bench bench, String controller) {
        assumeTrue(!bench.host().cgroup().isEmpty(), "no cgroup can be written here");
        assumeTrue(
                controller.isEmpty() || bench.host().cgroupControllers().contains(controller),
                "the cgroups here have no controller " + controller);
    }

    @Test
    void memoryIsBoundedOverAllProcessesAndItsEndIsTold() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, "memory");
            String half = "perl -e '$x = \"a\" x (30<<20); sleep 2; print 1'";
            String both = half + " & " + half + " & wait; exec " + half;
            Bench.Result within = bench.run(bench.sh(half).group(64 * MIB, 50, true));
            assertEquals("1", within.text(), within.errors());
            assertFalse(within.report().outOfMemory());
            Bench.Result beyond =
                    bench.run(
                            bench.sh("exec perl -e '$x = \"a\" x (200<<20)'")
                                    .group(64 * MIB, 50, true));
            assertEquals(137, beyond.code());
            assertTrue(beyond.report().outOfMemory());
            assertEquals("111", bench.run(bench.sh(both)).text());
            assertNotEquals("111", bench.run(bench.sh(both).group(64 * MIB, 50, true)).text());
        }
    }

    @Test
    void memoryThatCommandsShareIsBoundedAndTheEndOfOneIsNotToldOfTheNext() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, "memory");
            SandboxProcess holder =
                    bench.launch(bench.sh("sleep 3371").group(64 * MIB, 50, true).callId("holds"));
            Plans beyond = bench.sh("perl -e '$x = \"a\" x (200<<20)' && exit 0; exit 3");
            Bench.Result ended = bench.run(beyond.within(holder));
            Bench.Result next = bench.run(bench.sh("exit 4").within(holder));
            holder.close();
            if (ended.code() == 3) { // in version 2 the kernel ends the whole group
                assertTrue(ended.report().outOfMemory());
                assertEquals(4, next.code());
                assertFalse(next.report().outOfMemory());
            }
        }
    }

    @Test
    void processesAreBounded() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, "pids");
            String many = "i=0; while [ $i -lt 60 ]; do sleep 1 & i=$((i+1)); done; echo all";
            assertEquals("all\n", bench.run(bench.sh(many)).text());
            Bench.Result held = bench.run(bench.sh(many).group(0, 20, true));
            assertNotEquals("all\n", held.text());
            assertTrue(held.errors().contains("ork"), held.errors());
        }
    }

    @Test
    void processorTimeAndMemoryOfTheWholeTreeAreCounted() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, "cpu");
            String work = "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'";
            SandboxProcess process =
                    bench.launch(bench.sh(work + "; " + work).group(256 * MIB, 50, false));
            assertEquals(0, process.await(Bench.PATIENCE_MILLIS).orElseThrow().exitCode());
            assertTrue(process.usage().wholeTree());
            assertTrue(process.usage().cpuMillis() > 100, process.usage().toString());
            if (bench.host().cgroupControllers().contains("memory")) {
                assertTrue(process.usage().peakMemoryBytes() > 0);
            }
            process.close();
            assertTrue(process.usage().cpuMillis() > 100);
        }
    }

    @Test
    void evenDaemonsThatHideAreKilledAndTheCgroupIsGone() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, "");
            String hide = "(env -i setsid sleep 3361 & ); ";
            SandboxProcess process =
                    bench.launch(
                            bench.sh(hide.repeat(20) + "echo up >up; exit 0")
                                    .group(0, 50, false)
                                    .callId("hiding"));
            bench.awaitFile("up");
            process.await(Bench.PATIENCE_MILLIS);
            assertNotEquals(0, LifecycleCases.commands("sleep\0003361"));
            assertEquals(1, new java.util.HashSet<>(names("hiding")).size());
            assertEquals(0, process.kill());
            assertEquals(0, LifecycleCases.commands("sleep\0003361"));
            assertTrue(process.enforcement().contains("kill=cgroup"), process.enforcement());
            process.close();
            assertEquals(List.of(), names("hiding"));
        }
    }

    /** Version 1 cgroups of the call in every hierarchy, and those of version 2. */
    private static List<String> names(String call) throws Exception {
        String place = System.getenv("PALYRA_CGROUP");
        List<Path> roots = new ArrayList<>();
        if (place.startsWith("v1:")) {
            for (String each : List.of("memory", "pids", "cpuacct")) {
                roots.add(Path.of("/sys/fs/cgroup", each, place.substring(3)));
            }
        } else {
            roots.add(Path.of(place));
        }
        List<String> found = new ArrayList<>();
        for (Path root : roots) {
            try (Stream<Path> all = Files.list(root)) {
                all.map(path -> path.getFileName().toString())
                        .filter(name -> name.endsWith("-" + call))
                        .forEach(found::add);
            }
        }
        return found;
    }

    @Test
    void aCgroupIsJoinedUnderLandlockAndItsDescriptorsAreClosedAgain() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, "pids");
            assumeTrue(bench.host().landlockAbi() > 0, "this kernel has no Landlock");
            Plans plan =
                    bench.sh("i=0; while [ $i -lt 60 ]; do sleep 1 & i=$((i+1)); done; echo all")
                            .landlock(bench.rules())
                            .limits(new Rlimits(9, 0, 0, 4, 0))
                            .group(0, 20, true);
            assertNotEquals("all\n", bench.run(plan).text());
            Bench.Result descriptors =
                    bench.run(
                            bench.sh(
                                            "for n in 3 4 5 6 7 8 9; do : 2>/dev/null >&$n"
                                                    + " && echo $n; done; true")
                                    .landlock(bench.rules())
                                    .group(0, 20, true));
            assertEquals("", descriptors.text());
        }
    }

    @Test
    void whatIsRequiredAndMissingRefusesTheCommand() throws Exception {
        try (Bench bench = new Bench()) {
            boolean memory = bench.host().cgroupControllers().contains("memory");
            assumeTrue(!memory, "memory can be limited here");
            RunCases.refused(
                    ErrorCode.TOOL_UNAVAILABLE, bench, bench.sh("true").group(64 * MIB, 0, true));
            Bench.Result run = bench.run(bench.sh("echo ran").group(64 * MIB, 0, false));
            assertEquals("ran\n", run.text());
        }
    }

    @Test
    void theEnforcementSaysWhatIsInForce() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, "memory");
            SandboxProcess process = bench.launch(bench.sh("true").group(64 * MIB, 9, true));
            String said = process.enforcement();
            String version = bench.host().cgroup();
            assertTrue(said.startsWith("none tier=test spawn=posix_spawn cgroup=" + version), said);
            assertTrue(said.contains("memory") && said.contains("pids"), said);
            process.close();
        }
    }

    @Test
    void manyRunsLeaveNoCgroup() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, "");
            for (int i = 0; i < 100; i++) {
                Plans plan = Plans.of("/bin/true").group(64 * MIB, 20, false).callId("many");
                assertEquals(0, bench.run(plan).code());
            }
            assertEquals(List.of(), names("many"));
        }
    }
}
