package palyra.testing.wasm.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmEngine;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.shared.wasm.FunctionImport;
import palyra.shared.wasm.FunctionType;
import palyra.testing.wasm.WasmBuilder;
import palyra.testing.wasm.WasmCode;

/**
 * How calls share the pages of an engine: a call holds what its memory has, not what it may come
 * to, and waits for more within its time.
 */
public abstract class WasmPagesContract<E extends WasmEngine & AutoCloseable> {
    private static final int FIRST = 8;
    private static final int MOST = 64;
    private static final long FUEL = 10_000_000;

    /** Starts an engine whose calls have so many pages together, for at least eight calls. */
    protected abstract E engine(int pages);

    /** A memory of 8 to 64 pages; {@code run} calls the host, {@code grow} takes all before. */
    private static final WasmModule MODULE = module();

    private static WasmModule module() {
        WasmBuilder builder = new WasmBuilder().memory(FIRST, MOST).table(2, 2);
        int meet = builder.imported("env", "meet", ":");
        int three = builder.function(":i", "", new WasmCode().i32(3));
        int five = builder.function(":i", "", new WasmCode().i32(5));
        int seen = builder.global('i', true, new WasmCode().i32(0));
        WasmCode note = new WasmCode().i32(100).op(0x24, seen);
        builder.start(builder.function(":", "", note));
        builder.elements(0, three, five);
        WasmCode run = new WasmCode().call(meet).call(three).i32(1).op(0x11, builder.type(":i"), 0);
        run.op(0x6A).op(0x23, seen).op(0x6A);
        int running = builder.function(":i", "", run);
        WasmCode grow = new WasmCode().i32(MOST - FIRST).op(0x40, 0).op(0x1A).call(running);
        builder.export("memory", 2, 0).export("run", 0, running);
        builder.export("grow", 0, builder.function(":i", "", grow));
        FunctionImport granted =
                new FunctionImport("env", "meet", new FunctionType(List.of(), List.of()));
        return Admission.admit(
                        builder.build(),
                        new AdmissionRules(
                                AdmissionLimits.DEFAULTS, List.of(granted), List.of(), false))
                .module()
                .orElseThrow();
    }

    private static WasmHost host(Runnable meeting) {
        return new WasmHost(
                List.of(
                        new WasmFunction(
                                "env",
                                "meet",
                                List.<Number>of(),
                                List.<Number>of(),
                                (memory, arguments) -> {
                                    meeting.run();
                                    return 0;
                                })));
    }

    private static RecordedResult start(
            WasmEngine engine, String id, String export, long millis, Runnable meeting) {
        RecordedResult answer = new RecordedResult();
        engine.start(
                new WasmCall(id, MODULE, List.of(export), FUEL, millis), host(meeting), answer);
        return answer;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A call that holds everything until it is let go. */
    private record Holder(RecordedResult answer, CountDownLatch release) {
        static Holder of(WasmEngine engine) {
            CountDownLatch grown = new CountDownLatch(1);
            CountDownLatch release = new CountDownLatch(1);
            RecordedResult answer =
                    WasmPagesContract.start(
                            engine,
                            "holder",
                            "grow",
                            60_000,
                            () -> {
                                grown.countDown();
                                WasmPagesContract.await(release);
                            });
            WasmPagesContract.await(grown);
            return new Holder(answer, release);
        }

        void letGo() throws InterruptedException {
            release.countDown();
            WasmResult result = answer.await();
            assertEquals(WasmEnding.RETURNED, result.ending(), "" + result);
            assertEquals(MOST, result.memoryPages());
        }
    }

    /** What metering adds changes nothing that the module's own functions mean. */
    @Test
    public void growsAndCallsItsOwnFunctionsAsBefore() throws Exception {
        try (E engine = engine(MOST)) {
            WasmResult result = start(engine, "one", "grow", 60_000, () -> {}).await();
            assertEquals(WasmEnding.RETURNED, result.ending(), "" + result);
            assertEquals(100 + 3 + 5, result.value());
            assertEquals(MOST, result.memoryPages());
        }
    }

    /** Four calls of 64 pages at most run at once in 88, because each has 8. */
    @Test
    public void callsHoldWhatTheyHaveAndNotWhatTheyMayComeTo() throws Exception {
        try (E engine = engine(4 * FIRST + MOST - FIRST)) {
            CountDownLatch all = new CountDownLatch(4);
            List<RecordedResult> answers =
                    java.util.stream.IntStream.range(0, 4)
                            .mapToObj(
                                    at ->
                                            start(
                                                    engine,
                                                    "call-" + at,
                                                    "run",
                                                    60_000,
                                                    () -> {
                                                        all.countDown();
                                                        await(all);
                                                    }))
                            .toList();
            for (RecordedResult answer : answers) {
                assertEquals(WasmEnding.RETURNED, answer.await().ending(), "" + answer.await());
            }
        }
    }

    /** A call that cannot begin waits no longer than its time, and its result says for what. */
    @Test
    public void aCallThatCannotBeginWaitsWithinItsTimeAndSaysSo() throws Exception {
        try (E engine = engine(MOST)) {
            Holder holder = Holder.of(engine);
            WasmResult late = start(engine, "late", "run", 300, () -> {}).await();
            assertEquals(WasmEnding.DEADLINE, late.ending(), "" + late);
            assertTrue(late.detail().contains("waited for memory"), "" + late);
            RecordedResult patient = start(engine, "patient", "run", 60_000, () -> {});
            assertFalse(patient.given());
            holder.letGo();
            assertEquals(WasmEnding.RETURNED, patient.await().ending(), "" + patient.await());
        }
    }

    /** So does one that grows; it goes on when another call has ended. */
    @Test
    public void aCallThatGrowsWaitsWithinItsTimeAndGoesOnWhenItCan() throws Exception {
        try (E engine = engine(MOST + FIRST)) {
            Holder holder = Holder.of(engine);
            WasmResult late = start(engine, "late", "grow", 2_000, () -> {}).await();
            assertEquals(WasmEnding.DEADLINE, late.ending(), "" + late);
            assertTrue(late.detail().contains("waited for memory"), "" + late);
            RecordedResult given = start(engine, "given", "grow", 60_000, () -> {});
            RecordedResult cancelled = start(engine, "cancelled", "grow", 60_000, () -> {});
            engine.cancel("cancelled");
            assertEquals(WasmEnding.CANCELLED, cancelled.await().ending(), "" + cancelled.await());
            assertFalse(given.given());
            holder.letGo();
            assertEquals(WasmEnding.RETURNED, given.await().ending(), "" + given.await());
        }
    }

    /** What can never be had is not waited for. */
    @Test
    public void saysNotToTryAgainWhatCanNeverHaveItsMemory() throws Exception {
        try (E engine = engine(FIRST - 1)) {
            WasmResult never = start(engine, "never", "run", 60_000, () -> {}).await();
            assertEquals(WasmEnding.REFUSED, never.ending(), "" + never);
            assertTrue(never.detail().contains("raise maxPages"), "" + never);
            assertFalse(never.detail().contains("try again"), "" + never);
        }
        try (E engine = engine(MOST / 2)) {
            WasmResult never = start(engine, "never", "grow", 60_000, () -> {}).await();
            assertEquals(WasmEnding.OUT_OF_MEMORY, never.ending(), "" + never);
        }
    }
}
