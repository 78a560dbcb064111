package palyra.sandbox.posix.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxProcess.EndKind;
import palyra.sandbox.posix.internal.Bench;

/** Limits of each process; each with the same command without the limit as a control. */
class LimitCases {
    private static final Rlimits ALL = new Rlimits(2, 256L << 20, 16L << 20, 64, 0);
    private static final Rlimits NONE = new Rlimits(0, 0, 0, 0, 0);

    @Test
    void limitsAreExactlyThoseOfThePlan() throws Exception {
        try (Bench bench = new Bench()) {
            Bench.Result result =
                    bench.run(
                            bench.sh("cat /proc/self/limits; head -c 5 <&3")
                                    .pass(3, "ready".getBytes())
                                    .limits(new Rlimits(5, 256L << 20, 1024, 32, 2000)));
            String text = result.text().replaceAll(" +", " ");
            assertTrue(text.contains("Max cpu time 5 6 "), text);
            assertTrue(text.contains("Max address space 268435456 268435456 "), text);
            assertTrue(text.contains("Max file size 1024 1024 "), text);
            assertTrue(text.contains("Max open files 32 32 "), text);
            assertTrue(text.contains("Max processes 2000 2000 "), text);
            assertTrue(text.contains("Max core file size 0 0 "), text);
            assertTrue(text.contains("Max data size unlimited unlimited "), text);
            assertTrue(text.endsWith("ready"), text);
        }
    }

    @Test
    void aTinyNumberOfDescriptorsDoesNotBreakTheStage() throws Exception {
        try (Bench bench = new Bench()) {
            Bench.Result result =
                    bench.run(
                            bench.sh("echo ok")
                                    .landlock(bench.rules())
                                    .limits(new Rlimits(5, 0, 0, 4, 0)));
            assertEquals("ok\n", result.text());
        }
    }

    @Test
    void moreThanTheGatewayMayHaveIsCutDown() throws Exception {
        try (Bench bench = new Bench()) {
            Bench.Result result =
                    bench.run(bench.sh("ulimit -n").limits(new Rlimits(0, 0, 0, 1 << 30, 0)));
            assertTrue(result.report().started(), result.errors());
            assertTrue(Integer.parseInt(result.text().strip()) > 0);
        }
    }

    @Test
    void processorTimeEndsALoopBySignal() throws Exception {
        try (Bench bench = new Bench()) {
            String loop = "while :; do :; done";
            assertEquals(152, bench.run(bench.sh(loop).limits(new Rlimits(1, 0, 0, 0, 0))).code());
            String shorter = "i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done";
            assertEquals(0, bench.run(bench.sh(shorter).limits(new Rlimits(9, 0, 0, 0, 0))).code());
        }
    }

    @Test
    void memoryOfAProcessIsBounded() throws Exception {
        try (Bench bench = new Bench()) {
            String hog = "perl -e '$x = \"a\" x (300<<20); print length $x'";
            assertFalse(bench.run(bench.sh(hog).limits(ALL)).text().equals("314572800"));
            assertEquals("314572800", bench.run(bench.sh(hog).limits(NONE)).text());
        }
    }

    @Test
    void filesAreBounded() throws Exception {
        try (Bench bench = new Bench()) {
            String big = "exec head -c 33000000 /dev/zero >big";
            assertEquals(153, bench.run(bench.sh(big).limits(ALL)).code());
            assertEquals(16 << 20, Files.size(bench.workspace.resolve("big")));
            assertEquals(0, bench.run(bench.sh(big).limits(NONE)).code());
        }
    }

    @Test
    void descriptorsAreBounded() throws Exception {
        try (Bench bench = new Bench()) {
            String open =
                    "perl -e 'for (1..100) { open($f[$_], \"<\", \"/dev/null\") or die \"no $!\" }'";
            assertNotEquals(0, bench.run(bench.sh(open).limits(ALL)).code());
            assertEquals(0, bench.run(bench.sh(open).limits(NONE)).code());
        }
    }

    @Test
    void noCoreFileIsWritten() throws Exception {
        try (Bench bench = new Bench()) {
            Bench.Result result = bench.run(bench.sh("ulimit -c; kill -SEGV $$"));
            assertEquals(139, result.code());
            assertEquals("0\n", result.text());
            try (var left = Files.list(bench.workspace)) {
                assertEquals(0, left.count());
            }
        }
    }

    @Test
    void limitsCannotBeRaisedAgain() throws Exception {
        try (Bench bench = new Bench()) {
            for (String raise : new String[] {"-H -t 99", "-n 65", "-v 999999999", "-c 5"}) {
                String script = "ulimit " + raise;
                assertNotEquals(0, bench.run(bench.sh(script).limits(ALL)).code(), raise);
            }
            assertEquals(0, bench.run(bench.sh("ulimit -n 60").limits(ALL)).code());
        }
    }

    private static final long MIB = 1 << 20;

    /** Where no cgroup counts memory it is measured. */
    private static Bench measuring() throws Exception {
        Bench bench = new Bench();
        boolean counted = bench.host().cgroupControllers().contains("memory");
        if (counted) {
            bench.close();
        }
        assumeFalse(counted, "a cgroup counts memory here");
        return bench;
    }

    /** Their parents know nothing of what killed processes have used. */
    @Test
    void processorTimeOfACommandThatIsKilledIsThatOfAllItsProcesses() throws Exception {
        try (Bench bench = measuring()) {
            String busy = "/bin/sh -c 'while :; do :; done' & wait";
            SandboxProcess process = bench.launch(bench.sh(busy).group(100 * MIB, 0, false));
            Bench.await("some processor time", () -> process.usage().cpuMillis() > 200);
            assertEquals(0, process.kill());
            assertTrue(process.await(Bench.PATIENCE_MILLIS).isPresent());
            assertTrue(process.usage().cpuMillis() > 200, process.usage().toString());
            process.close();
            assertTrue(process.usage().cpuMillis() > 200, process.usage().toString());
        }
    }

    @Test
    void whoHoldsMoreMemoryThanAllItsProcessesMayIsEnded() throws Exception {
        try (Bench bench = measuring()) {
            // Perl keeps the constant beside its copy: 60 MiB each.
            String half = "perl -e '$x = \"a\" x (30<<20); sleep 2; print 1'";
            String both = half + " & " + half + " & wait";
            Bench.Result alone = bench.run(bench.sh(half).group(100 * MIB, 0, false));
            assertEquals("1", alone.text(), alone.errors());
            assertFalse(alone.report().outOfMemory());
            Bench.Result together = bench.run(bench.sh(both).group(100 * MIB, 0, false));
            assertEquals("", together.text());
            assertTrue(together.report().outOfMemory());
            assertEquals(0, together.left());
        }
    }

    @Test
    void reservedMemoryAndPagesOfSeveralProcessesDoNotCountTwice() throws Exception {
        try (Bench bench = measuring()) {
            String forks =
                    "perl -e '$x = \"a\" x (60<<20);"
                            + " for (1..4) { if (!fork) { sleep 1; exit } }"
                            + " 1 while wait != -1; print 1'";
            Bench.Result shared = bench.run(bench.sh(forks).group(160 * MIB, 0, false));
            assertEquals("1", shared.text(), shared.errors());
            String reserves =
                    "perl -e '$a = syscall(9, 0, 1<<40, 0, 0x4022, -1, 0);"
                            + " sleep 1; print $a > 0 ? 1 : $!'";
            Bench.Result reserved = bench.run(bench.sh(reserves).group(64 * MIB, 0, false));
            assertEquals("1", reserved.text(), reserved.errors());
            assertFalse(reserved.report().outOfMemory());
        }
    }

    @Test
    void whatLeavesItsSessionAndItsParentStillCounts() throws Exception {
        try (Bench bench = measuring()) {
            String leaves =
                    "setsid perl -e 'exit if fork; $x = \"a\" x (200<<20); sleep 60';"
                            + " sleep 30; echo late";
            Bench.Result result = bench.run(bench.sh(leaves).group(100 * MIB, 0, false));
            assertEquals("", result.text());
            assertTrue(result.report().outOfMemory());
        }
    }

    @Test
    void aCommandBeyondItsOwnLimitIsEndedAndNotTheSandboxThatItShares() throws Exception {
        try (Bench bench = measuring()) {
            SandboxProcess holder =
                    bench.launch(bench.sh("sleep 3374").group(100 * MIB, 0, false).callId("holds"));
            String hog = "perl -e '$x = \"a\" x (200<<20); sleep 30'";
            Bench.Result ended = bench.run(bench.sh(hog).group(100 * MIB, 0, false).within(holder));
            assertTrue(ended.report().outOfMemory());
            Bench.Result next =
                    bench.run(bench.sh("sleep 1").group(100 * MIB, 0, false).within(holder));
            assertEquals(0, next.code());
            holder.close();
        }
    }

    @Test
    void commandsOfASandboxShareWhatItsHolderMayHold() throws Exception {
        try (Bench bench = measuring()) {
            SandboxProcess holder =
                    bench.launch(bench.sh("sleep 3373").group(150 * MIB, 0, false).callId("holds"));
            String half = "perl -e '$x = \"a\" x (45<<20); sleep 30; print 1'";
            SandboxProcess first =
                    bench.launch(bench.sh(half).group(100 * MIB, 0, false).within(holder));
            SandboxProcess second =
                    bench.launch(bench.sh(half).group(100 * MIB, 0, false).within(holder));
            assertTrue(holder.await(Bench.PATIENCE_MILLIS).orElseThrow().outOfMemory());
            second.close();
            first.close();
            holder.close();
        }
    }

    @Test
    void itIsKnownWhetherASignalWasTheEnd() throws Exception {
        try (Bench bench = new Bench()) {
            Bench.Result exited = bench.run(bench.sh("exit 137"));
            assertEquals(EndKind.EXITED, exited.report().end());
            Bench.Result killed = bench.run(bench.sh("kill -KILL $$"));
            assertEquals(137, killed.code());
            assertEquals(EndKind.SIGNALLED, killed.report().end());
        }
    }
}
