package palyra.skills.engine.endive.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.skills.engine.endive.internal.code.CompileLimits;
import palyra.skills.engine.endive.internal.code.DiskCache;
import palyra.testing.wasm.CorpusModule;
import palyra.testing.wasm.CorpusModules;
import palyra.testing.wasm.engine.CompileBombs;
import palyra.testing.wasm.engine.Fixture;
import palyra.testing.wasm.engine.HostFunctions;
import palyra.testing.wasm.engine.RecordedResult;

/**
 * Does its worst to the engine in a JVM with a small heap: the engine must answer every call, and
 * work as before in the end. Modules reach it that admission would refuse, too.
 */
public final class Hostile {
    private static final long SECONDS = 5;

    private Hostile() {}

    /** Prints {@code survived} and figures when all is well. */
    public static void main(String[] arguments) throws Exception {
        EndiveSettings settings =
                new EndiveSettings(32, 1 << 20, 8 << 20, 0, 2 << 20, CompileLimits.DEFAULT);
        EndiveEngine engine = new EndiveEngine(settings, DiskCache.NONE, new InProcess(), "test");
        int mutants = mutants(engine);
        int memory = memoryBombs(engine);
        recursion(engine);
        compileBombs(engine);
        WasmResult last = run(engine, Fixture.BASIC.call("last", "answer"));
        if (last.value() != 42) {
            throw new IllegalStateException("afterwards: " + last);
        }
        engine.close();
        System.out.println("survived " + mutants + " mutants, " + memory + " out of memory");
        System.exit(0);
    }

    private static WasmResult run(EndiveEngine engine, WasmCall call) throws Exception {
        RecordedResult answer = new RecordedResult();
        engine.start(call, HostFunctions.none(), answer);
        return answer.await();
    }

    private static int mutants(EndiveEngine engine) throws Exception {
        Random random = new Random(8);
        AdmissionRules rules = AdmissionRules.closed(AdmissionLimits.DEFAULTS);
        List<CorpusModule> corpus = CorpusModules.generated();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        int count = 0;
        while (System.nanoTime() < until) {
            CorpusModule one = corpus.get(random.nextInt(corpus.size()));
            WasmModule whole = Admission.admit(one.bytes(), rules).module().orElseThrow();
            byte[] bytes = whole.bytes().clone();
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                bytes[8 + random.nextInt(bytes.length - 8)] = (byte) random.nextInt();
            }
            WasmModule mutant =
                    Fixture.module(bytes, whole.memoryPages(), whole.initialPages(), whole.start());
            run(engine, new WasmCall("m" + count, mutant, List.of("run"), 10_000, 200));
            count++;
        }
        return count;
    }

    /** More memory than the heap has, by 32 calls that each may have 4 MiB, which they all take. */
    private static int memoryBombs(EndiveEngine engine) throws Exception {
        List<RecordedResult> answers = new ArrayList<>();
        for (int at = 0; at < 32; at++) {
            RecordedResult answer = new RecordedResult();
            WasmCall call =
                    new WasmCall(
                            "bomb" + at,
                            Fixture.LARGE.module(),
                            List.of("grow", "endless"),
                            10_000,
                            1_000);
            engine.start(call, HostFunctions.none(), answer);
            answers.add(answer);
        }
        int out = 0;
        for (RecordedResult answer : answers) {
            WasmEnding ending = answer.await().ending();
            if (ending == WasmEnding.OUT_OF_MEMORY) {
                out++;
            } else if (ending != WasmEnding.DEADLINE) {
                throw new IllegalStateException("a bomb ended " + answer.await());
            }
        }
        return out;
    }

    private static void recursion(EndiveEngine engine) throws Exception {
        for (int at = 0; at < 20; at++) {
            WasmResult deep = run(engine, Fixture.BASIC.call("deep" + at, "runaway"));
            if (deep.ending() != WasmEnding.CALL_DEPTH) {
                throw new IllegalStateException("recursion ended " + deep);
            }
        }
    }

    /** Functions as large and as deep as admission lets them be. */
    private static void compileBombs(EndiveEngine engine) throws Exception {
        AdmissionRules rules = AdmissionRules.closed(AdmissionLimits.DEFAULTS);
        for (byte[] bomb :
                List.of(CompileBombs.nested(200, 60), CompileBombs.straight(30_000, 4))) {
            var admitted = Admission.admit(bomb, rules);
            if (!admitted.ok()) {
                throw new IllegalStateException("a bomb is refused: " + admitted.reasons());
            }
            WasmModule module = admitted.module().orElseThrow();
            try {
                engine.prepare(module);
            } catch (PalyraException e) {
                System.err.println("refused: " + e.getMessage());
                continue;
            }
            WasmResult result =
                    run(engine, new WasmCall("c", module, List.of("run"), 10_000_000, 20_000));
            if (result.ending() != WasmEnding.RETURNED) {
                throw new IllegalStateException("a bomb ended " + result);
            }
        }
    }
}
