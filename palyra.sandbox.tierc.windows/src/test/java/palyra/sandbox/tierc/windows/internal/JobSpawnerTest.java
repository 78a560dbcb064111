package palyra.sandbox.tierc.windows.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess.ExitReport;
import palyra.sandbox.tierc.windows.internal.JobSpawner.Order;
import palyra.sandbox.tierc.windows.internal.JobSpawner.Spawned;

/** The calls in their order, and what is left when one of them fails. Not run on hardware. */
class JobSpawnerTest {
    private final FakeKernel32 kernel = new FakeKernel32();

    private static Order order(boolean stdin) {
        return new Order(
                "C:\\tools\\a.exe",
                "\"C:\\tools\\a.exe\" \"é\"",
                "A=1\0B=2\0\0",
                "C:\\work",
                SandboxLimits.DEFAULT,
                stdin);
    }

    private JobProcess started(boolean stdin) {
        Spawned spawned = new JobSpawner(kernel).spawn(order(stdin));
        return new JobProcess(kernel, spawned, "none isolation=none", () -> {});
    }

    @Test
    void putsTheProcessIntoItsJobBeforeItRuns() {
        started(false).close();
        List<String> order = new ArrayList<>(kernel.calls);
        order.retainAll(
                Set.of(
                        "CreateJobObjectW",
                        "SetInformationJobObject 9 144",
                        "SetInformationJobObject 4 4",
                        "UpdateProcThreadAttribute 20002 24",
                        "CreateProcessW",
                        "DeleteProcThreadAttributeList",
                        "AssignProcessToJobObject",
                        "ResumeThread",
                        "CloseHandle thread"));
        assertEquals(
                List.of(
                        "CreateJobObjectW",
                        "SetInformationJobObject 9 144",
                        "SetInformationJobObject 4 4",
                        "UpdateProcThreadAttribute 20002 24",
                        "CreateProcessW",
                        "DeleteProcThreadAttributeList",
                        "AssignProcessToJobObject",
                        "ResumeThread",
                        "CloseHandle thread"),
                order);
        assertEquals(0x4 | 0x400 | 0x80000 | 0x8000000, kernel.flags);
        assertEquals("C:\\tools\\a.exe", kernel.program);
        assertEquals("\"C:\\tools\\a.exe\" \"é\"", kernel.line);
        assertEquals("A=1\0B=2", kernel.environment);
        assertEquals("C:\\work", kernel.folder);
    }

    @Test
    void limitsTheWholeJob() {
        started(false).close();
        assertEquals(
                0x2000L | 0x8 | 0x200 | 0x100 | 0x4 | 0x400,
                kernel.limits.get("flags").longValue());
        assertEquals(0, kernel.limits.get("flags") & 0x1800, "nothing may break away");
        assertEquals(100_000_000L, kernel.limits.get("time").longValue());
        assertEquals(128, kernel.limits.get("processes").longValue());
        assertEquals(512L << 20, kernel.limits.get("jobMemory").longValue());
        assertEquals(512L << 20, kernel.limits.get("processMemory").longValue());
        assertEquals(0xff, kernel.limits.get("ui").longValue());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyTheProcessesEndsAreInheritedAndClosedHere(boolean stdin) {
        JobProcess process = started(stdin);
        assertEquals(
                stdin ? Map.of("read", 1, "write", 2) : Map.of("nul", 1, "write", 2),
                kernel.inherited);
        List<String> held = kernel.open.values().stream().sorted().toList();
        assertEquals(
                stdin
                        ? List.of("job", "process", "read", "read", "write")
                        : List.of("job", "process", "read", "read"),
                held);
        assertEquals(4_711, process.pid());
        process.close();
        process.close();
        assertTrue(kernel.open.isEmpty(), kernel.open.toString());
        assertTrue(kernel.wrong.isEmpty(), kernel.wrong.toString());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whateverFailsNothingRunsAndEachHandleIsClosedOnce(boolean stdin) {
        int steps = stepsOf(stdin);
        assertTrue(steps > 10, "there are that many calls that may fail");
        for (int step = 0; step < steps; step++) {
            FakeKernel32 failing = new FakeKernel32();
            failing.failAt = step;
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () -> new JobSpawner(failing).spawn(order(stdin)));
            String failed = "step " + step + " of " + failing.calls;
            assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code(), failed);
            assertTrue(failing.open.isEmpty(), failed + " left " + failing.open);
            assertTrue(failing.wrong.isEmpty(), failed + " " + failing.wrong);
            assertEquals(0, failing.lists, failed);
            assertEquals(
                    failing.calls.contains("AssignProcessToJobObject"),
                    failing.calls.contains("TerminateProcess 137"),
                    failed);
            assertFalse(
                    failing.calls.contains("ResumeThread") && step < steps - 1,
                    failed + " was let go");
        }
    }

    private static int stepsOf(boolean stdin) {
        FakeKernel32 counting = new FakeKernel32();
        new JobSpawner(counting).spawn(order(stdin));
        List<String> calls = new ArrayList<>(counting.calls);
        calls.removeIf(
                call ->
                        call.startsWith("CloseHandle")
                                || call.startsWith("Delete")
                                || call.endsWith(" size"));
        return calls.size();
    }

    @Test
    void refusesAProcessThatSomethingElseHasSuspendedOrLetGo() {
        for (int count : new int[] {0, 2}) {
            FakeKernel32 odd = new FakeKernel32();
            odd.suspendCount = count;
            assertThrows(PalyraException.class, () -> new JobSpawner(odd).spawn(order(false)));
            assertTrue(odd.calls.contains("TerminateProcess 137"));
            assertTrue(odd.open.isEmpty());
        }
    }

    @Test
    void namesErrorsOfWindows() {
        assertEquals(ErrorCode.NOT_FOUND, codeOf(2));
        assertEquals(ErrorCode.NOT_FOUND, codeOf(3));
        assertEquals(ErrorCode.INVALID_ARGUMENT, codeOf(193));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, codeOf(8));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, codeOf(1450));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, codeOf(5));
    }

    private static ErrorCode codeOf(int error) {
        FakeKernel32 kernel = new FakeKernel32();
        kernel.error = error;
        return Failures.of(kernel, "CreateProcessW").code();
    }

    @Test
    void readsOutputToItsEndAndWritesInput() throws IOException {
        kernel.output = "0123456789".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        try (JobProcess process = started(true)) {
            assertEquals("0123456789", new String(process.stdout().readAllBytes(), "US-ASCII"));
            process.stdin().write("abc".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            assertTrue(kernel.calls.containsAll(List.of("written ab", "written c")));
        }
        JobProcess without = started(false);
        assertThrows(IOException.class, () -> without.stdin().write(1));
        without.close();
        assertThrows(IOException.class, () -> without.stdout().read());
    }

    @Test
    void reportsHowItEnded() throws InterruptedException {
        try (JobProcess process = started(false)) {
            assertEquals(Optional.empty(), process.await(0));
            kernel.running = false;
            Map<Integer, ExitReport> reports =
                    Map.of(
                            0, new ExitReport(true, 0, "", false),
                            7, new ExitReport(true, 7, "", false),
                            1816, new ExitReport(true, 152, "", false),
                            0xC0000005, new ExitReport(true, 0xC0000005, "", false),
                            0xC0000017, new ExitReport(true, 137, "", true),
                            0xC000012D, new ExitReport(true, 137, "", true));
            for (Map.Entry<Integer, ExitReport> each : reports.entrySet()) {
                kernel.exitCode = each.getKey();
                assertEquals(Optional.of(each.getValue()), process.await(1_000));
            }
            assertEquals(3_000, process.usage().cpuMillis());
            assertEquals(77L << 20, process.usage().peakMemoryBytes());
        }
    }

    @Test
    void waitingCanBeInterrupted() {
        try (JobProcess process = started(false)) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> process.await(60_000));
        }
    }

    @Test
    void killsTheWholeJobAndCountsWhoIsLeft() {
        JobProcess process = started(false);
        kernel.active = 31;
        assertEquals(0, process.kill());
        assertTrue(kernel.calls.contains("TerminateJobObject 137"));
        kernel.mortal = false;
        kernel.active = 2;
        assertEquals(2, process.kill(), "what cannot be confirmed dead is counted");
        process.close();
        assertEquals(0, process.kill());
        assertTrue(kernel.open.isEmpty());
        assertTrue(kernel.wrong.isEmpty(), kernel.wrong.toString());
    }

    @Test
    void handleInUseIsClosedByItsLastUser() throws IOException {
        Handle handle = new Handle(kernel, kernel.CreateJobObjectW(null, null));
        boolean openWithin =
                handle.use(
                        value -> {
                            handle.close();
                            return !kernel.open.isEmpty();
                        });
        assertTrue(openWithin, "it was closed under a call that used it");
        assertTrue(kernel.open.isEmpty());
        assertThrows(IOException.class, () -> handle.use(value -> 1));
        handle.close();
        assertTrue(kernel.wrong.isEmpty());
    }
}
