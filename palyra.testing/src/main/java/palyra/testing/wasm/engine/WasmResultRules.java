package palyra.testing.wasm.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmResult;

/** Results, traps, fuel and memory. */
public abstract class WasmResultRules extends WasmStage {
    private void returns(long value, long fuel, String... exports) throws InterruptedException {
        WasmResult result = run(exports);
        ended(WasmEnding.RETURNED, result);
        assertEquals(value, result.value());
        assertEquals(fuel, result.fuelUsed());
    }

    /** What a function returns comes back, sign-extended, with the fuel that it used. */
    @Test
    public void returnsNumbersAndTheirFuel() throws Exception {
        returns(42, 3, "answer");
        returns(-7, 3, "minus");
        returns(0x8000000000000001L, 3, "wide");
        returns(0, 2, "nothing");
        returns('a', 1, "text");
    }

    /** Functions of one call share an instance and its fuel; the last one's number counts. */
    @Test
    public void callsFunctionsInOrderInOneInstance() throws Exception {
        returns(11, 12, "remember", "recall");
        returns(0, 7, "recall");
        returns(11, 19, "recall", "remember", "recall");
    }

    /** What was the start function runs once, with fuel. */
    @Test
    public void runsTheStartFunctionOnce() throws Exception {
        WasmResult result = run(Fixture.START.call(id(), "begun"), HostFunctions.none());
        ended(WasmEnding.RETURNED, result);
        assertEquals(1, result.value());
        assertEquals(10, result.fuelUsed());
    }

    /** Each trap of the specification ends the call, with the fuel up to it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "unreachable",
                "divide",
                "remainder",
                "overflow",
                "convert",
                "load",
                "load_high",
                "store",
                "fill",
                "copy",
                "call_type",
                "call_null",
                "call_outside"
            })
    public void trapsAsTheSpecificationSays(String export) throws Exception {
        WasmResult result = run(export);
        ended(WasmEnding.TRAPPED, result);
        assertEquals(4, result.fuelUsed());
        assertEquals(0, result.value());
        ended(WasmEnding.RETURNED, run("answer"));
    }

    /** Data outside the memory is a trap, too, before anything ran. */
    @Test
    public void trapsWhenDataDoesNotFit() throws Exception {
        WasmResult result = run(Fixture.SEGMENT.call(id(), "run"), HostFunctions.none());
        ended(WasmEnding.TRAPPED, result);
    }

    /** Fuel is exact: one more and it would have gone on. */
    @Test
    public void stopsExactlyWhenTheFuelIsUsedUp() throws Exception {
        WasmCall enough = call(3, "answer");
        ended(WasmEnding.RETURNED, run(enough, HostFunctions.none()));
        WasmResult short1 = run(call(2, "answer"), HostFunctions.none());
        ended(WasmEnding.OUT_OF_FUEL, short1);
        assertEquals(2, short1.fuelUsed());
        WasmResult burnt = run(call(100_000, "burn"), HostFunctions.none());
        ended(WasmEnding.OUT_OF_FUEL, burnt);
        assertEquals(100_000, burnt.fuelUsed());
    }

    private WasmCall call(long fuel, String... exports) {
        return new WasmCall(id(), Fixture.BASIC.module(), List.of(exports), fuel, 60_000);
    }

    /** Depth that metering counts is told apart from a trap. */
    @Test
    public void endsCallsThatAreNestedTooDeeply() throws Exception {
        ended(WasmEnding.CALL_DEPTH, run("deep"));
    }

    /** Even without metering the stack's end costs this call only. */
    @Test
    public void survivesTheEndOfTheStack() throws Exception {
        ended(WasmEnding.CALL_DEPTH, run("runaway"));
        ended(WasmEnding.RETURNED, run("answer"));
    }

    /** Memory grows to the clamp and not beyond, and the result says how large it was. */
    @Test
    public void growsMemoryUpToItsMost() throws Exception {
        WasmResult grown = run("grow", "size");
        ended(WasmEnding.RETURNED, grown);
        assertEquals(3, grown.value());
        assertEquals(3, grown.memoryPages());
        WasmResult refused = run("grow_too_far");
        ended(WasmEnding.RETURNED, refused);
        assertEquals(-1, refused.value());
        assertEquals(1, refused.memoryPages());
    }

    /** What is not there, or cannot be called, is a matter of linking. */
    @ParameterizedTest
    @ValueSource(strings = {"no_such_function", "two_numbers", "wants", "float", "memory"})
    public void refusesWhatCannotBeCalled(String export) throws Exception {
        ended(WasmEnding.LINK, run(export));
    }

    /** A module without metering does not run. */
    @Test
    public void refusesWhatWasNeverAdmitted() throws Exception {
        ended(WasmEnding.LINK, run(Fixture.BARE.call(id(), "run"), HostFunctions.none()));
    }

    /** What is no module is refused, by prepare with a code and by start with an ending. */
    @Test
    public void refusesWhatIsNoModule() throws Exception {
        var broken = Fixture.module(new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0, 1, 127}, 0, 0, false);
        PalyraException e = assertThrows(PalyraException.class, () -> engine().prepare(broken));
        assertEquals(ErrorCode.INVALID_ARGUMENT, e.code());
        WasmCall call = new WasmCall(id(), broken, List.of("run"), 1, 1_000);
        ended(WasmEnding.REFUSED, run(call, HostFunctions.none()));
    }

    /** What is compiled once is not compiled again. */
    @Test
    public void compilesOnce() throws Exception {
        engine().prepare(Fixture.BASIC.module());
        engine().prepare(Fixture.BASIC.module());
        assertTrue(engine().view().compiled() >= 1, engine().view().toString());
        ended(WasmEnding.RETURNED, run("answer"));
    }
}
