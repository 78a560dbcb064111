package palyra.skills.engine.wasmtime.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmResult;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeEngine;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeSettings;
import palyra.skills.engine.wasmtime.internal.gateway.WorkerFiles;
import palyra.testing.wait.Await;
import palyra.testing.wasm.engine.Fixture;
import palyra.testing.wasm.engine.HostFunctions;
import palyra.testing.wasm.engine.RecordedResult;

/** How workers begin and end. */
class WorkerLifeTest {
    @TempDir Path folder;
    private final PlainWorkerStarter start = new PlainWorkerStarter();
    private WasmtimeEngine engine;

    private WasmtimeEngine engine(boolean enabled, long idleMillis) {
        engine =
                new WasmtimeEngine(
                        new WasmtimeSettings(enabled, 4, 1_024, 1L << 30, idleMillis, Set.of()),
                        new WorkerFiles(folder, new TestFiles()),
                        start,
                        "test");
        return engine;
    }

    @AfterEach
    void close() {
        engine.close();
        start.started.forEach(process -> assertFalse(endless(process), "a worker is left"));
    }

    private static boolean endless(Process process) {
        try {
            return !process.waitFor(30, java.util.concurrent.TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private WasmResult run(Fixture fixture, String export, WasmHost host)
            throws InterruptedException {
        RecordedResult answer = new RecordedResult();
        engine.start(fixture.call("life-" + export, export), host, answer);
        WasmResult result = answer.await();
        answer.once();
        return result;
    }

    private void answers() throws InterruptedException {
        assertEquals(42, run(Fixture.BASIC, "answer", HostFunctions.none()).value());
    }

    @Test
    void deathCostsTheCallsInFlightAndNoOther() throws Exception {
        engine(true, 60_000);
        answers();
        WasmResult died =
                run(
                        Fixture.HOST,
                        "sum",
                        HostFunctions.with(
                                "add",
                                (memory, all) -> {
                                    start.started.get(0).destroyForcibly();
                                    return memory.read(0, 1, 1)[0];
                                }));
        assertEquals(WasmEnding.ENGINE_FAILED, died.ending(), died.toString());
        answers();
        assertEquals(2, start.started.size());
        assertEquals(1, engine.deaths());
    }

    /** Without signs of life the call would wait for its deadline, and the next ones with it. */
    @Test
    void noticesStoppedWorkerByItsHeartbeat() throws Exception {
        engine(true, 60_000);
        answers();
        WasmResult lost =
                run(
                        Fixture.HOST,
                        "sum",
                        HostFunctions.with(
                                "add",
                                (memory, all) -> {
                                    stopped(start.started.get(0));
                                    return memory.read(0, 1, 1)[0];
                                }));
        assertEquals(WasmEnding.ENGINE_FAILED, lost.ending(), lost.toString());
        assertTrue(lost.detail().contains("no sign of life"), lost.toString());
        Await.until("the worker is gone", () -> !start.started.get(0).isAlive());
        answers();
        assertEquals(2, start.started.size());
    }

    private static void stopped(Process process) {
        try {
            Process kill = new ProcessBuilder("kill", "-STOP", "" + process.pid()).start();
            assertEquals(0, kill.waitFor());
            // The signal is only on its way: a thread that is not stopped yet could still answer.
            Await.until("every thread is stopped", () -> allStopped(process));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The state follows the name in brackets; see proc_pid_stat(5). */
    private static boolean allStopped(Process process) {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
            for (Path thread : threads.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void startsWithTheFirstCallAndEndsWhenNobodyUsesIt() throws Exception {
        engine(true, 300);
        assertTrue(engine.view().ready());
        assertEquals(0, start.started.size());
        answers();
        Await.until("the worker is gone", () -> !start.started.get(0).isAlive());
        answers();
        assertEquals(2, start.started.size());
        assertEquals(0, engine.deaths());
    }

    @Test
    void writesItsProgramAnewWhenAFileWasChanged() throws Exception {
        engine(true, 300);
        answers();
        Path moduleStore = folder.resolve("program/native/libwasmtime_jni.so");
        byte[] genuine = Files.readAllBytes(moduleStore);
        Await.until("the worker is gone", () -> !start.started.get(0).isAlive());
        Files.write(moduleStore, new byte[] {1, 2, 3});
        answers();
        assertArrayEquals(genuine, Files.readAllBytes(moduleStore));
    }

    @Test
    void refusesWhenItIsSwitchedOffOrCannotBeConfined() {
        engine(false, 60_000);
        refuses("switched off");
        engine.close();
        engine(true, 60_000);
        start.problem = "There is no Tier B.";
        refuses("no Tier B");
        assertEquals(0, start.started.size());
        assertFalse(Files.exists(folder.resolve("program")));
    }

    private void refuses(String why) {
        assertFalse(engine.view().ready());
        assertTrue(engine.view().reason().contains(why), engine.view().reason());
        PalyraException e =
                assertThrows(
                        PalyraException.class,
                        () ->
                                engine.start(
                                        Fixture.BASIC.call("refused", "answer"),
                                        HostFunctions.none(),
                                        result -> {}));
        assertEquals(ErrorCode.TOOL_UNAVAILABLE, e.code());
    }
}
