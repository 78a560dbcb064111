package palyra.skills.engine.endive.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.skills.engine.endive.internal.code.DiskCache;
import palyra.skills.engine.endive.internal.code.SealedFolder;
import palyra.testing.wait.Await;
import palyra.testing.wasm.CorpusModules;
import palyra.testing.wasm.engine.Fixture;
import palyra.testing.wasm.engine.HostFunctions;
import palyra.testing.wasm.engine.RecordedResult;

/** Where compiled code goes: into the cache, to the disk, away. */
class CodeLifeTest {
    @TempDir Path state;

    private static WasmResult run(EndiveEngine engine, Fixture fixture, String export)
            throws InterruptedException {
        RecordedResult answer = new RecordedResult();
        engine.start(fixture.call("life-" + export, export), HostFunctions.none(), answer);
        return answer.await();
    }

    private SealedFolder disk() throws Exception {
        return new SealedFolder(state.resolve("wasm-cache"), "1", 1 << 20);
    }

    @Test
    void loadsFromDiskWhatItCompiledBefore() throws Exception {
        try (EndiveEngine first = Engines.make(disk())) {
            assertEquals(42, run(first, Fixture.BASIC, "answer").value());
        }
        SealedFolder again = disk();
        try (EndiveEngine second = Engines.make(again)) {
            WasmResult result = run(second, Fixture.BASIC, "answer");
            assertEquals(42, result.value());
            assertEquals(3, result.fuelUsed());
            assertEquals(WasmEnding.TRAPPED, run(second, Fixture.BASIC, "load").ending());
        }
        assertEquals(1, again.counts().hits());
    }

    @Test
    void compilesAnewWhenTheEntryOnDiskIsNotGenuine() throws Exception {
        try (EndiveEngine first = Engines.make(disk())) {
            first.prepare(Fixture.BASIC.module());
        }
        Path entry = state.resolve("wasm-cache").resolve(Fixture.BASIC.module().sha256() + ".code");
        byte[] bytes = Files.readAllBytes(entry);
        bytes[bytes.length / 2] ^= 4;
        Files.write(entry, bytes);
        SealedFolder again = disk();
        try (EndiveEngine second = Engines.make(again)) {
            assertEquals(42, run(second, Fixture.BASIC, "answer").value());
        }
        assertEquals(0, again.counts().hits());
        assertEquals(1, again.counts().refused());
        assertTrue(Files.exists(entry), "the new code is not kept");
    }

    @Test
    void dropsCodeWhenItWeighsTooMuch() throws Exception {
        EndiveSettings small = Engines.settings(4, 1_024, 1 << 20);
        try (EndiveEngine engine =
                new EndiveEngine(small, DiskCache.NONE, new InProcess(), "test")) {
            List<WasmModule> modules = admitted().limit(80).toList();
            modules.forEach(engine::prepare);
            assertTrue(engine.counts().evicted() > 0, engine.counts().toString());
            assertTrue(engine.counts().weight() <= 1 << 20, engine.counts().toString());
            assertTrue(engine.view().compiled() < modules.size());
        }
    }

    private static Stream<WasmModule> admitted() {
        AdmissionRules rules = AdmissionRules.closed(AdmissionLimits.DEFAULTS);
        return CorpusModules.generated().stream()
                .map(one -> Admission.admit(one.bytes(), rules).module().orElseThrow());
    }

    @Test
    void leavesNoClassLoaderBehind() throws Exception {
        EndiveEngine engine = Engines.make(DiskCache.NONE);
        assertEquals(42, run(engine, Fixture.BASIC, "answer").value());
        WeakReference<ClassLoader> loader = new WeakReference<>(loaderOfGuests(engine));
        engine.close();
        Await.until("the threads are gone", () -> threads() == 0);
        Await.until(
                "the class loader is collected",
                () -> {
                    System.gc();
                    return loader.get() == null;
                });
        assertEquals(0, engine.view().compiled());
    }

    /** Looks at who calls a host function: a class that was compiled from the module. */
    private static ClassLoader loaderOfGuests(EndiveEngine engine) throws Exception {
        AtomicReference<ClassLoader> found = new AtomicReference<>();
        RecordedResult answer = new RecordedResult();
        engine.start(
                Fixture.HOST.call("looks", "sum"),
                HostFunctions.with(
                        "add",
                        (memory, all) -> {
                            StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                                    .walk(
                                            frames ->
                                                    frames.map(
                                                                    frame ->
                                                                            frame.getDeclaringClass()
                                                                                    .getClassLoader())
                                                            .filter(CodeLifeTest::compiled)
                                                            .findFirst())
                                    .ifPresent(found::set);
                            return 0;
                        }),
                answer);
        assertEquals(WasmEnding.RETURNED, answer.await().ending());
        assertNotNull(found.get(), "no compiled class on the stack");
        return found.get();
    }

    private static boolean compiled(ClassLoader loader) {
        return loader != null && loader.getClass().getName().endsWith("GuestClasses");
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("palyra-wasm-endive"))
                .count();
    }

    @Test
    void boundsCalls() throws Exception {
        EndiveSettings tight = Engines.settings(2, 65, 1 << 20);
        try (EndiveEngine engine =
                new EndiveEngine(tight, DiskCache.NONE, new InProcess(), "test")) {
            RecordedResult large = new RecordedResult();
            engine.start(Fixture.LARGE.call("large", "endless"), HostFunctions.none(), large);
            RecordedResult small = new RecordedResult();
            engine.start(Fixture.HOST.call("small", "sum"), HostFunctions.none(), small);
            assertEquals(WasmEnding.LINK, small.await().ending());
            RecordedResult second = new RecordedResult();
            engine.start(Fixture.START.call("second", "begun"), HostFunctions.none(), second);
            second.await();
            RecordedResult third = new RecordedResult();
            engine.start(
                    Fixture.HOST.call("third", "sum"),
                    HostFunctions.with(
                            "add",
                            (memory, all) -> {
                                Await.until("the end", large::given);
                                return 0;
                            }),
                    third);
            refused(engine, "calls", Fixture.START);
            engine.cancel("large");
            assertEquals(WasmEnding.CANCELLED, large.await().ending());
            assertEquals(WasmEnding.RETURNED, third.await().ending());
            assertEquals(0, engine.pages());
        }
    }

    private static void refused(EndiveEngine engine, String word, Fixture fixture) {
        PalyraException e =
                assertThrows(
                        PalyraException.class,
                        () ->
                                engine.start(
                                        fixture.call("refused", "answer"),
                                        HostFunctions.none(),
                                        result -> {}));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, e.code());
        assertTrue(e.getMessage().contains(word), e.getMessage());
    }
}
