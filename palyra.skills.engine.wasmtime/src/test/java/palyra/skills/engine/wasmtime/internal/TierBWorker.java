package palyra.skills.engine.wasmtime.internal;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.worker.TierBSeam;
import palyra.skills.engine.wasmtime.internal.gateway.TierBWorkerStarter;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeEngine;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeSettings;
import palyra.skills.engine.wasmtime.internal.gateway.WorkerFiles;
import palyra.testing.wasm.engine.Fixture;
import palyra.testing.wasm.engine.HostFunctions;
import palyra.testing.wasm.engine.RecordedResult;

/** The engine with its worker under the real Tier B; started as an unprivileged user. */
public final class TierBWorker {
    private static final WasmtimeSettings SETTINGS =
            new WasmtimeSettings(true, 4, 1_024, 1L << 30, 60_000, Set.of("cgroup"));

    private TierBWorker() {}

    /** Runs below the folder of the first argument, and prints what {@code Results} reads. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        TierBSeam seam = new TierBSeam();
        WasmtimeEngine engine =
                new WasmtimeEngine(
                        SETTINGS,
                        new WorkerFiles(folder.resolve("worker"), new TestFiles()),
                        new TierBWorkerStarter(seam, SETTINGS, "test"),
                        "test");
        say("not_ready_without_tier_b", !engine.view().ready(), engine.view().reason());
        say("refuses_without_tier_b", refuses(engine), "");
        seam.onLeave(engine::leaveSandbox);
        SandboxBackend backend = backend();
        seam.add(backend, Map.of());
        say("ready", engine.view().ready(), engine.view().reason() + backend.status());
        work(engine, seam, backend, folder);
        engine.close();
        System.exit(0);
    }

    private static void work(
            WasmtimeEngine engine, TierBSeam seam, SandboxBackend backend, Path folder)
            throws Exception {
        WasmResult first = run(engine, Fixture.BASIC, "answer", HostFunctions.none());
        say("returns", first.value() == 42 && first.fuelUsed() == 3, "" + first);
        String around = engine.view().isolation();
        say(
                "is_confined",
                around.matches("process=worker tier=b landlock=\\d+.* seccomp=sha256:.*offline.*"),
                around);
        WasmResult shared =
                run(
                        engine,
                        Fixture.HOST,
                        "share",
                        HostFunctions.with(
                                "act",
                                (memory, all) -> {
                                    memory.write((int) all[0], new byte[] {77});
                                    return 0;
                                }));
        say("host_functions", shared.value() == 77, "" + shared);
        WasmResult grown = run(engine, Fixture.LARGE, "grow", HostFunctions.none());
        say("memory_grows", grown.value() == 8 && grown.memoryPages() == 64, "" + grown);
        WasmResult deep = run(engine, Fixture.BASIC, "runaway", HostFunctions.none());
        say("stack_ends", deep.ending() == WasmEnding.CALL_DEPTH, "" + deep);
        WasmCall hurried =
                new WasmCall("h", Fixture.BASIC.module(), List.of("endless_fill"), 10, 200);
        WasmResult late = run(engine, hurried, HostFunctions.none());
        say("deadline", late.ending() == WasmEnding.DEADLINE, "" + late);
        death(engine);
        say("no_copies", copies(folder) == 1, copies(folder) + " native libraries");
        leave(engine, seam, backend);
    }

    /** The worker is killed from outside in the middle of a call. */
    private static void death(WasmtimeEngine engine) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        RecordedResult answer = new RecordedResult();
        engine.start(
                Fixture.HOST.call("dies", "sum"),
                HostFunctions.with(
                        "add",
                        (memory, all) -> {
                            begun.countDown();
                            ProcessHandle.current()
                                    .descendants()
                                    .forEach(ProcessHandle::destroyForcibly);
                            return memory.read(0, 1, 1)[0];
                        }),
                answer);
        begun.await(60, TimeUnit.SECONDS);
        WasmResult died = answer.await();
        say("death_costs_its_call", died.ending() == WasmEnding.ENGINE_FAILED, "" + died);
        WasmResult next = run(engine, Fixture.BASIC, "answer", HostFunctions.none());
        say("next_call_has_a_new_worker", next.value() == 42, "" + next);
    }

    /** Tier B is being replaced. */
    private static void leave(WasmtimeEngine engine, TierBSeam seam, SandboxBackend backend)
            throws Exception {
        RecordedResult answer = new RecordedResult();
        engine.start(Fixture.BASIC.call("left", "endless"), HostFunctions.none(), answer);
        TimeUnit.MILLISECONDS.sleep(100);
        seam.remove(backend);
        WasmResult left = answer.await();
        say("ends_when_tier_b_goes", left.ending() == WasmEnding.ENGINE_STOPPED, "" + left);
        say("refuses_then", refuses(engine), "");
        long alive = ProcessHandle.current().descendants().filter(ProcessHandle::isAlive).count();
        say("worker_is_gone", alive == 0, alive + " processes");
    }

    private static boolean refuses(WasmtimeEngine engine) {
        try {
            engine.start(
                    Fixture.BASIC.call("refused", "answer"), HostFunctions.none(), result -> {});
            return false;
        } catch (palyra.api.PalyraException e) {
            return e.code() == palyra.api.ErrorCode.TOOL_UNAVAILABLE;
        }
    }

    private static WasmResult run(
            WasmtimeEngine engine, Fixture fixture, String export, WasmHost host)
            throws InterruptedException {
        return run(engine, fixture.call("run-" + export, export), host);
    }

    private static WasmResult run(WasmtimeEngine engine, WasmCall call, WasmHost host)
            throws InterruptedException {
        RecordedResult answer = new RecordedResult();
        engine.start(call, host, answer);
        return answer.await();
    }

    private static long copies(Path folder) throws java.io.IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".so")).count();
        }
    }

    /** Makes Tier B as its component would be made: it is another bundle's inside. */
    private static SandboxBackend backend() throws ReflectiveOperationException {
        Object launcher = component("palyra.sandbox.posix.internal.PosixComponent");
        Object backend = component("palyra.sandbox.tierb.internal.TierBBackend");
        Object folders = component("palyra.sandbox.posix.internal.folder.FolderComponent");
        bind(backend, "addLauncher", ProcessLauncher.class, launcher);
        bind(backend, "addFolders", FolderCalls.class, folders);
        ((SandboxBackend) backend).probe();
        return (SandboxBackend) backend;
    }

    private static void bind(Object backend, String method, Class<?> type, Object service)
            throws ReflectiveOperationException {
        Method add = backend.getClass().getDeclaredMethod(method, type, Map.class);
        add.setAccessible(true);
        add.invoke(backend, service, Map.of());
    }

    private static Object component(String name) throws ReflectiveOperationException {
        Constructor<?> constructor = Class.forName(name).getConstructors()[0];
        Object[] defaults =
                Stream.of(constructor.getParameterTypes()).map(TierBWorker::defaults).toArray();
        return constructor.newInstance(defaults);
    }

    private static Object defaults(Class<?> type) {
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, none) -> method.getDefaultValue());
    }

    private static void say(String id, boolean good, String detail) {
        System.out.println(
                "wasmtime\t"
                        + id
                        + "\t"
                        + (good ? "ok" : "bad")
                        + "\t"
                        + detail.replaceAll("\\s+", " "));
    }
}
