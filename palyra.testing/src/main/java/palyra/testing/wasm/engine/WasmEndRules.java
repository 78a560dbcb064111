package palyra.testing.wasm.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost;
import palyra.shared.wasm.MeterCosts;
import palyra.testing.wait.Await;

/** Deadlines, cancellation and the engine's own end. */
public abstract class WasmEndRules extends WasmPriceRules {
    /** A call whose time is short; its module is compiled before, which would take of that time. */
    private WasmCall hurried(Fixture fixture, String export) {
        engine().prepare(fixture.module());
        return new WasmCall(id(), fixture.module(), List.of(export), 1_000_000, 500);
    }

    /** Loops end when their time is over, those within one instruction too. */
    @ParameterizedTest
    @ValueSource(strings = {"endless", "endless_store", "endless_fill"})
    public void endsLoopsAtTheirDeadline(String export) throws Exception {
        ended(WasmEnding.DEADLINE, run(hurried(Fixture.BASIC, export), HostFunctions.none()));
        ended(WasmEnding.RETURNED, run("answer"));
    }

    /** A host function that waits is interrupted. */
    @Test
    public void interruptsHostFunctionsAtTheDeadline() throws Exception {
        AtomicBoolean interrupted = new AtomicBoolean();
        WasmHost host = HostFunctions.with("add", sleeping(new CountDownLatch(1), interrupted));
        ended(WasmEnding.DEADLINE, run(hurried(Fixture.HOST, "sum"), host));
        assertTrue(interrupted.get(), "the host function was not interrupted");
        ended(WasmEnding.RETURNED, run("answer"));
    }

    private static WasmHost.Body sleeping(CountDownLatch begun, AtomicBoolean interrupted) {
        return (memory, arguments) -> {
            begun.countDown();
            try {
                TimeUnit.MINUTES.sleep(2);
            } catch (InterruptedException e) {
                interrupted.set(true);
                throw new IllegalStateException("interrupted", e);
            }
            return 0;
        };
    }

    /** A host function that swallows the interrupt does not save its module. */
    @Test
    public void remindsOfTheEnd() throws Exception {
        WasmHost host =
                HostFunctions.with(
                        "add",
                        (memory, arguments) -> {
                            try {
                                TimeUnit.MILLISECONDS.sleep(600);
                            } catch (InterruptedException e) {
                                return 0;
                            }
                            return 0;
                        });
        ended(WasmEnding.DEADLINE, run(hurried(Fixture.HOST, "many"), host));
    }

    /** A call can be stopped while code runs, and while a host function does. */
    @Test
    public void stopsCalls() throws Exception {
        WasmCall looping = Fixture.BASIC.call(id(), "endless");
        RecordedResult first = begin(looping, HostFunctions.none());
        CountDownLatch begun = new CountDownLatch(1);
        WasmCall waiting = Fixture.HOST.call(id(), "sum");
        RecordedResult second =
                begin(waiting, HostFunctions.with("add", sleeping(begun, new AtomicBoolean())));
        assertTrue(begun.await(60, TimeUnit.SECONDS));
        engine().cancel("unknown");
        assertFalse(first.given());
        engine().cancel(looping.callId());
        ended(WasmEnding.CANCELLED, first.await());
        assertFalse(second.given(), "another call was stopped");
        engine().cancel(waiting.callId());
        ended(WasmEnding.CANCELLED, second.await());
        first.once();
        second.once();
        engine().cancel(looping.callId());
    }

    /** An id runs once at a time; it is free when the result is reported. */
    @Test
    public void refusesAnIdThatRuns() throws Exception {
        WasmCall call = Fixture.BASIC.call("the-same", "endless");
        RecordedResult first = begin(call, HostFunctions.none());
        PalyraException e =
                assertThrows(PalyraException.class, () -> begin(call, HostFunctions.none()));
        assertEquals(ErrorCode.INVALID_ARGUMENT, e.code());
        assertFalse(first.given());
        engine().cancel("the-same");
        ended(WasmEnding.CANCELLED, first.await());
        ended(
                WasmEnding.RETURNED,
                run(Fixture.BASIC.call("the-same", "answer"), HostFunctions.none()));
    }

    /** Calls run at the same time, and each has its own memory and fuel. */
    @Test
    public void runsCallsAtTheSameTime() throws Exception {
        CountDownLatch together = new CountDownLatch(4);
        List<RecordedResult> answers = new ArrayList<>();
        for (int at = 0; at < 4; at++) {
            WasmHost host =
                    HostFunctions.with(
                            "act",
                            (memory, arguments) -> {
                                assertEquals('f', memory.read(100, 1, 1)[0]);
                                memory.write(100, new byte[] {1});
                                together.countDown();
                                try {
                                    assertTrue(together.await(60, TimeUnit.SECONDS));
                                } catch (InterruptedException e) {
                                    throw new IllegalStateException(e);
                                }
                                return 0;
                            });
            answers.add(begin(Fixture.HOST.call(id(), "share"), host));
        }
        for (RecordedResult answer : answers) {
            var result = answer.await();
            ended(WasmEnding.RETURNED, result);
            assertEquals(1, result.value());
            assertEquals(9 + MeterCosts.HOST_CALL + 2 * MeterCosts.HOST_BYTE, result.fuelUsed());
            answer.once();
        }
    }

    /** An engine that stops ends its calls and takes no more. */
    @Test
    public void endsItsCallsWhenItStops() throws Exception {
        RecordedResult looping = begin(Fixture.BASIC.call(id(), "endless"), HostFunctions.none());
        CountDownLatch begun = new CountDownLatch(1);
        RecordedResult waiting =
                begin(
                        Fixture.HOST.call(id(), "sum"),
                        HostFunctions.with("add", sleeping(begun, new AtomicBoolean())));
        assertTrue(begun.await(60, TimeUnit.SECONDS));
        stop(engine());
        ended(WasmEnding.ENGINE_STOPPED, looping.await());
        ended(WasmEnding.ENGINE_STOPPED, waiting.await());
        looping.once();
        waiting.once();
        assertFalse(engine().view().ready());
        assertThrows(PalyraException.class, () -> run("answer"));
        assertThrows(PalyraException.class, () -> engine().prepare(Fixture.BASIC.module()));
    }

    /** A host function that never lets go does not keep the engine from stopping. */
    @Test
    public void stopsWithoutAHostFunctionThatNeverLetsGo() throws Exception {
        AtomicBoolean letGo = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        RecordedResult stuck =
                begin(
                        Fixture.HOST.call(id(), "sum"),
                        HostFunctions.with(
                                "add",
                                (memory, arguments) -> {
                                    begun.countDown();
                                    while (!letGo.get()) {
                                        Thread.onSpinWait();
                                    }
                                    return 0;
                                }));
        assertTrue(begun.await(60, TimeUnit.SECONDS));
        try {
            stop(engine());
            ended(WasmEnding.ENGINE_STOPPED, stuck.await());
        } finally {
            letGo.set(true);
        }
        Await.until("the call is over", () -> engine().view().running() == 0);
        stuck.once();
    }
}
