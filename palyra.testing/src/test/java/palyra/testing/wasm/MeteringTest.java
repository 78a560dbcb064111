package palyra.testing.wasm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import palyra.shared.wasm.AdmissionLimits;

/** What fuel and call depth count, to the unit. The figures are those of version 1. */
class MeteringTest {
    private static final long PLENTY = 1L << 40;

    private static byte[] run(String locals, WasmCode code) {
        return module(new WasmBuilder(), locals, code);
    }

    private static byte[] module(WasmBuilder builder, String locals, WasmCode code) {
        int function = builder.function(":i", locals, code);
        return builder.export("run", 0, function).build();
    }

    private static byte[] counting(int rounds) {
        WasmCode code = new WasmCode().i32(rounds).set(0).loop();
        code.i32(0).i32(0).access(0x28, 0).i32(1).op(0x6A).access(0x36, 0);
        code.get(0).i32(1).op(0x6B).tee(0).brIf(0).end().get(0);
        return module(new WasmBuilder().memory(1, -1), "i", code);
    }

    @Test
    void straightCodeCostsItsInstructionsAndTheEntry() {
        byte[] module = run("", new WasmCode().i32(1).i32(2).op(0x6A));
        assertEquals(new Guest.Result("returned", 3, 5), Guest.metered(module).call("run", 5));
        Guest poor = Guest.metered(module);
        assertEquals("fuel", poor.call("run", 4).ending());
        assertEquals(-1, poor.left());
    }

    @Test
    void aModuleWithoutFuelDoesNotRun() {
        assertEquals("fuel", Guest.metered(counting(1)).call("run", 0).ending());
    }

    @Test
    void loopsCostEachRoundAndStopBetweenRounds() {
        // entry 4; a round: loop, 3 constants, load 2, add, store 2, get, constant, sub, tee, br_if
        Guest guest = Guest.metered(counting(10));
        assertEquals(new Guest.Result("returned", 0, 4 + 10 * 14 + 1), guest.call("run", PLENTY));
        assertEquals(10, guest.memory(0));
        Guest poor = Guest.metered(counting(10));
        assertEquals("fuel", poor.call("run", 4 + 5 * 14 + 13).ending());
        assertEquals(5, poor.memory(0));
    }

    @Test
    void exactlyEnoughFuelIsEnoughAndOneLessIsNot() {
        assertEquals("returned", Guest.metered(counting(7)).call("run", 4 + 7 * 14 + 1).ending());
        assertEquals("fuel", Guest.metered(counting(7)).call("run", 4 + 7 * 14).ending());
    }

    @Test
    void aTrapKeepsWhatLoopsBeforeItCost() {
        WasmCode code = new WasmCode().i32(1_000).set(0).loop();
        code.get(0).i32(1).op(0x6B).tee(0).brIf(0).end().i32(1).get(0).op(0x6D);
        Guest.Result result = Guest.metered(run("i", code)).call("run", PLENTY);
        assertEquals("trapped", result.ending());
        assertEquals(4 + 1_000 * 6, result.fuel());
    }

    @Test
    void bulkInstructionsCostByTheirUnsignedLength() {
        WasmCode fill = new WasmCode().i32(0).i32(7).i32(65_536).prefixed(11, 0).i32(1);
        byte[] module = module(new WasmBuilder().memory(1, -1), "", fill);
        assertEquals(2 + 3 + 20 + 8_192 + 1, Guest.metered(module).call("run", PLENTY).fuel());
        Guest poor = Guest.metered(module);
        assertEquals("fuel", poor.call("run", 8_000).ending());
        assertEquals(0, poor.memory(0), "nothing was filled");
        WasmCode huge = new WasmCode().i32(0).i32(0).i32(-1).prefixed(10, 0, 0).i32(1);
        byte[] copy = module(new WasmBuilder().memory(1, -1), "", huge);
        assertEquals("fuel", Guest.metered(copy).call("run", 500_000_000).ending());
        Guest.Result outside = Guest.metered(copy).call("run", PLENTY);
        assertEquals("trapped", outside.ending());
        assertEquals(2 + 3 + 20 + (0xFFFF_FFFFL >> 3) + 1, outside.fuel());
    }

    @Test
    void tablesAndPassiveDataCostByTheirLength() {
        WasmBuilder builder = new WasmBuilder().memory(1, -1).table(8, -1);
        WasmCode code = new WasmCode().i32(0).i32(0).i32(3).prefixed(12, 0, 0);
        code.i32(4).i32(0).i32(3).prefixed(14, 0, 0).i32(0).i32(0).i32(16).prefixed(8, 0, 0);
        code.prefixed(9, 0).prefixed(13, 0).i32(0).access(0x28, 0);
        builder.passiveElements(0, 0, 0).passiveData("sixteen bytes...");
        Guest.Result result = Guest.metered(module(builder, "", code)).call("run", PLENTY);
        assertEquals("returned", result.ending());
        assertEquals(2 + 23 + 6 + 23 + 6 + 23 + 2 + 20 + 20 + 3, result.fuel());
    }

    @Test
    void growingCostsPagesAndBeyondTheCapAnswersMinusOneForNothing() {
        AdmissionLimits limits = AdmissionLimits.DEFAULTS.withMemoryPages(4);
        WasmCode grow = new WasmCode().i32(2).op(0x40, 0);
        Guest guest = Guest.metered(module(new WasmBuilder().memory(1, -1), "", grow), limits);
        assertEquals(
                new Guest.Result("returned", 1, 2 + 101 + 3 * 1_024), guest.call("run", PLENTY));
        assertEquals(3, guest.pages());
        assertEquals(new Guest.Result("returned", -1, 103), guest.call("run", PLENTY));
        assertEquals(3, guest.pages());
        WasmCode all = new WasmCode().i32(-1).op(0x40, 0);
        Guest greedy = Guest.metered(module(new WasmBuilder().memory(1, -1), "", all), limits);
        assertEquals(new Guest.Result("returned", -1, 103), greedy.call("run", PLENTY));
    }

    private static byte[] recursion(int depth) {
        WasmBuilder builder = new WasmBuilder();
        WasmCode body = new WasmCode().get(0).op(0x45).open(0x04, 'i').i32(0).otherwise();
        body.get(0).i32(1).op(0x6B).call(0).i32(1).op(0x6A).end();
        builder.function("i:i", "", body);
        return module(builder, "", new WasmCode().i32(depth).call(0));
    }

    @Test
    void callsAreCountedAndTooDeepOnesStop() {
        AdmissionLimits ten = AdmissionLimits.DEFAULTS.withDepth(10);
        assertEquals(8, Guest.metered(recursion(8), ten).call("run", PLENTY).value());
        assertEquals("depth", Guest.metered(recursion(9), ten).call("run", PLENTY).ending());
        assertEquals(900, Guest.metered(recursion(900)).call("run", PLENTY).value());
        assertEquals("depth", Guest.metered(recursion(1_000)).call("run", PLENTY).ending());
    }

    @Test
    void everyWayOutOfAFunctionGivesItsDepthBack() {
        WasmBuilder builder = new WasmBuilder();
        builder.function(":", "", new WasmCode());
        WasmCode ways = new WasmCode().call(0).get(0).op(0x45).iff().i32(1).op(0x0F).end();
        ways.i32(2).get(0).i32(1).op(0x46).brIf(0).op(0x1A).loop().block().i32(3).get(0);
        ways.brTable(2, 2, 2).end().end().i32(4);
        builder.function("i:i", "", ways);
        WasmCode code = new WasmCode().i32(5_000).set(0).loop();
        code.get(0).i32(3).op(0x71).call(1).op(0x1A);
        code.get(0).i32(1).op(0x6B).tee(0).brIf(0).end().i32(6);
        Guest guest =
                Guest.metered(module(builder, "i", code), AdmissionLimits.DEFAULTS.withDepth(3));
        assertEquals(6, guest.call("run", PLENTY).value());
        assertEquals(6, guest.call("run", PLENTY).value());
    }

    @Test
    void largeFramesCountMore() {
        WasmBuilder builder = new WasmBuilder();
        WasmCode body = new WasmCode().get(0).op(0x45).iff().i32(0).op(0x0F).end();
        body.get(0).i32(1).op(0x6B).call(0);
        builder.function("i:i", "I".repeat(900), body);
        byte[] module = module(builder, "", new WasmCode().i32(50).call(0));
        assertEquals("depth", Guest.metered(module).call("run", PLENTY).ending());
        assertEquals("returned", Guest.unmetered(module).call("run").ending());
    }

    @Test
    void theStartFunctionRunsOnlyWhenItIsCalledAndIsCharged() {
        WasmBuilder builder = new WasmBuilder().memory(1, -1);
        int start = builder.function(":", "", new WasmCode().i32(0).i32(9).access(0x36, 0));
        builder.start(start);
        byte[] module = module(builder, "", new WasmCode().i32(0).access(0x28, 0));
        Guest guest = Guest.metered(module);
        assertEquals(0, guest.memory(0));
        assertEquals(new Guest.Result("returned", 9, 6 + 5), guest.call("run", PLENTY));
        assertTrue(Guest.admitted(module, AdmissionLimits.DEFAULTS).start());
    }

    @Test
    void longCodeWithoutLoopsIsLookedAtOnTheWay() {
        WasmCode code = new WasmCode();
        for (int i = 0; i < 2_000; i++) {
            code.get(0).iff().i32(0).i32(0).access(0x28, 0).i32(1).op(0x6A).access(0x36, 0).end();
        }
        WasmBuilder builder = new WasmBuilder().memory(1, -1);
        builder.function("i:", "", code);
        byte[] module = module(builder, "", new WasmCode().i32(1).call(0).i32(5));
        Guest guest = Guest.metered(module);
        Guest.Result result = guest.call("run", 5_000);
        assertEquals("fuel", result.ending());
        assertTrue(result.fuel() < 5_600, () -> "used " + result.fuel());
        assertTrue(guest.memory(0) < 700, () -> "ran " + guest.memory(0));
    }
}
