package palyra.skills.engine.endive.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.shared.worker.PlainWorker;
import palyra.shared.worker.WorkerProcess;
import palyra.skills.engine.endive.internal.code.CompileLimits;
import palyra.skills.engine.endive.internal.code.CompilerStarter;
import palyra.skills.engine.endive.internal.code.DiskCache;
import palyra.skills.engine.endive.internal.code.SealedFolder;
import palyra.testing.wait.Await;
import palyra.testing.wasm.engine.CompileBombs;
import palyra.testing.wasm.engine.Fixture;
import palyra.testing.wasm.engine.HostFunctions;
import palyra.testing.wasm.engine.RecordedResult;

/** The compiler in a process of its own: its budget, its end, and that nothing waits for it. */
class CompileProcessTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final CompileLimits SMALL_HEAP = new CompileLimits(64L << 20, 60_000);
    private static final CompileLimits SHORT = new CompileLimits(384L << 20, 1_000);

    @TempDir Path state;
    private final List<WorkerProcess> started = new CopyOnWriteArrayList<>();

    /** Remembers what was started. */
    private final class Watched implements CompilerStarter {
        private final CompilerStarter real;

        Watched(CompilerStarter real) {
            this.real = real;
        }

        @Override
        public String confinement() {
            return real.confinement();
        }

        @Override
        public WorkerProcess start(BooleanSupplier stopped) throws InterruptedException {
            WorkerProcess process = real.start(stopped);
            started.add(process);
            return process;
        }
    }

    /** A compiler that never answers. */
    private final class Silent implements CompilerStarter {
        @Override
        public String confinement() {
            return "process";
        }

        @Override
        public WorkerProcess start(BooleanSupplier stopped) {
            return PlainWorker.start(List.of("/bin/sleep", "300"), state, "none");
        }
    }

    private EndiveEngine engine(CompileLimits budget, DiskCache disk, CompilerStarter start) {
        return new EndiveEngine(
                new EndiveSettings(16, 1_024, 64L << 20, 0, 4 << 20, budget), disk, start, "test");
    }

    private EndiveEngine engine(CompileLimits budget, DiskCache disk) {
        return engine(budget, disk, new Watched(Engines.processes(budget)));
    }

    private EndiveEngine silent() {
        return engine(CompileLimits.DEFAULT, DiskCache.NONE, new Watched(new Silent()));
    }

    private static WasmModule admitted(byte[] module) {
        return Admission.admit(module, AdmissionRules.closed(AdmissionLimits.DEFAULTS))
                .module()
                .orElseThrow();
    }

    private static PalyraException refusal(EndiveEngine engine, WasmModule module) {
        PalyraException e = assertThrows(PalyraException.class, () -> engine.prepare(module));
        assertEquals(ErrorCode.INVALID_ARGUMENT, e.code(), e.getMessage());
        assertFalse(
                e.getMessage().contains("try again"),
                "a module that is never compiled does not get better: " + e.getMessage());
        return e;
    }

    private void awaitEnd(int process) {
        Await.until(
                "the compiler's process to end",
                PATIENCE,
                () -> started.size() > process && ended(started.get(process)));
    }

    private static boolean ended(WorkerProcess process) {
        try {
            return process.await(0).isPresent();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void compilesInAProcessAndRunsHere() throws Exception {
        try (EndiveEngine engine = engine(CompileLimits.DEFAULT, DiskCache.NONE)) {
            RecordedResult answer = new RecordedResult();
            engine.start(Fixture.BASIC.call("one", "answer"), HostFunctions.none(), answer);
            assertEquals(42, answer.await().value());
            assertEquals("process=gateway compiler=process", engine.view().isolation());
            assertEquals(1, started.size());
            awaitEnd(0);
        }
    }

    @Test
    void interpretsFunctionsThatAreTooLargeFromTheShellOfTheModule() throws Exception {
        try (EndiveEngine engine = engine(CompileLimits.DEFAULT, DiskCache.NONE)) {
            WasmModule module = admitted(CompileBombs.loops(3_000, 3));
            RecordedResult answer = new RecordedResult();
            engine.start(
                    new WasmCall("large", module, List.of("run"), 10_000_000, 120_000),
                    HostFunctions.none(),
                    answer);
            WasmResult result = answer.await();
            assertEquals(WasmEnding.RETURNED, result.ending(), result.detail());
            assertEquals(7, result.value());
            assertEquals(3, engine.counts().interpreted());
        }
    }

    @Test
    void refusesMoreThanIsInterpretedInTheGatewaysHeap() {
        try (EndiveEngine engine = engine(CompileLimits.DEFAULT, DiskCache.NONE)) {
            PalyraException e = refusal(engine, admitted(CompileBombs.loops(8_000, 4)));
            assertTrue(e.getMessage().contains("at most 524288 are interpreted"), e.getMessage());
        }
    }

    @Test
    void refusesWhatTakesMoreHeapThanTheBudgetAndKeepsThat() throws Exception {
        WasmModule module = admitted(CompileBombs.straight(30_000, 100));
        SealedFolder disk = new SealedFolder(state.resolve("cache"), "1", 1 << 20);
        try (EndiveEngine engine = engine(SMALL_HEAP, disk)) {
            PalyraException e = refusal(engine, module);
            assertTrue(e.getMessage().contains("67108864 bytes of heap"), e.getMessage());
            assertTrue(
                    e.getMessage().contains(module.bytes().length + " metered bytes"),
                    e.getMessage());
            assertEquals(e.getMessage(), refusal(engine, module).getMessage());
            assertEquals(1, started.size(), "it was compiled again");
            assertEquals(1, engine.counts().refused());
            RecordedResult answer = new RecordedResult();
            engine.start(
                    new WasmCall("refused", module, List.of("run"), 1_000, 60_000),
                    HostFunctions.none(),
                    answer);
            assertEquals(WasmEnding.REFUSED, answer.await().ending());
        }
        try (EndiveEngine engine = engine(SMALL_HEAP, disk)) {
            assertTrue(refusal(engine, module).getMessage().contains("67108864"));
            assertEquals(1, started.size(), "it was compiled again after a restart");
        }
    }

    @Test
    void refusesWhatTakesMoreProcessorTimeThanTheBudget() {
        try (EndiveEngine engine = engine(SHORT, DiskCache.NONE)) {
            PalyraException e = refusal(engine, admitted(CompileBombs.loops(8_192, 16)));
            assertTrue(e.getMessage().contains("1000 ms of processor time"), e.getMessage());
            awaitEnd(0);
        }
    }

    @Test
    void deadlineOfACallEndsTheCompilersProcess() throws Exception {
        try (EndiveEngine engine = silent()) {
            RecordedResult answer = new RecordedResult();
            engine.start(
                    new WasmCall("late", Fixture.BASIC.module(), List.of("answer"), 100, 300),
                    HostFunctions.none(),
                    answer);
            WasmResult result = answer.await();
            assertEquals(WasmEnding.DEADLINE, result.ending());
            assertTrue(result.detail().contains("still being compiled"), result.detail());
            awaitEnd(0);
        }
    }

    @Test
    void cancellingACallEndsTheCompilersProcess() throws Exception {
        try (EndiveEngine engine = silent()) {
            RecordedResult answer = new RecordedResult();
            engine.start(Fixture.BASIC.call("gone", "answer"), HostFunctions.none(), answer);
            Await.until("the compiler's process", PATIENCE, () -> started.size() == 1);
            engine.cancel("gone");
            assertEquals(WasmEnding.CANCELLED, answer.await().ending());
            awaitEnd(0);
        }
    }

    @Test
    void goesOnCompilingWhatAnotherCallWaitsFor() throws Exception {
        try (EndiveEngine engine = silent()) {
            RecordedResult first = new RecordedResult();
            RecordedResult second = new RecordedResult();
            engine.start(Fixture.BASIC.call("first", "answer"), HostFunctions.none(), first);
            engine.start(Fixture.BASIC.call("second", "answer"), HostFunctions.none(), second);
            Await.until("the compiler's process", PATIENCE, () -> started.size() == 1);
            engine.cancel("first");
            assertEquals(WasmEnding.CANCELLED, first.await().ending());
            assertFalse(ended(started.get(0)), "its process was ended");
            assertFalse(second.given());
            engine.cancel("second");
            assertEquals(WasmEnding.CANCELLED, second.await().ending());
            awaitEnd(0);
        }
    }

    @Test
    void nothingElseWaitsForACompilation() throws Exception {
        try (EndiveEngine engine = silent()) {
            RecordedResult answer = new RecordedResult();
            engine.start(Fixture.BASIC.call("slow", "answer"), HostFunctions.none(), answer);
            Await.until("the compiler's process", PATIENCE, () -> started.size() == 1);
            assertTimeoutPreemptively(
                    Duration.ofSeconds(30),
                    () -> {
                        assertEquals(1, engine.view().running());
                        engine.counts();
                        engine.loop();
                        engine.pages();
                    });
        }
    }

    @Test
    void endingTheEngineEndsTheCompilersProcess() throws Exception {
        RecordedResult answer = new RecordedResult();
        try (EndiveEngine engine = silent()) {
            engine.start(Fixture.BASIC.call("closed", "answer"), HostFunctions.none(), answer);
            Await.until("the compiler's process", PATIENCE, () -> started.size() == 1);
        }
        assertEquals(WasmEnding.ENGINE_STOPPED, answer.await().ending());
        awaitEnd(0);
    }
}
