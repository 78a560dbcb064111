package palyra.testing.wasm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.shared.wasm.Reason;
import palyra.testing.wasm.engine.CompileBombs;

/** What a compiler would choke on is refused before there is one, with the figure and the limit. */
class CompileSizeLimitsTest {
    private static List<Reason> reasons(byte[] module) {
        return Admission.admit(module, AdmissionRules.closed(AdmissionLimits.DEFAULTS)).reasons();
    }

    private static void refused(byte[] module, String code, String figure) {
        List<Reason> reasons = reasons(module);
        assertTrue(
                reasons.stream()
                        .anyMatch(
                                each ->
                                        each.code().equals(code)
                                                && each.sentence().contains(figure)),
                () -> code + " " + figure + " is not among " + reasons);
    }

    @Test
    void refusesManyFunctionsOfManyBlocks() {
        refused(
                CompileBombs.manyBlocks(),
                "limit_blocks",
                "2475000 blocks in all functions together, at most 131072");
    }

    @Test
    void refusesManyLoopsInFewFunctions() {
        byte[] module = CompileBombs.manyLoops();
        refused(module, "limit_blocks", "344000 blocks in all functions together");
        refused(module, "limit_function_blocks", "function 0 has 21500 blocks, at most 8192");
    }

    @Test
    void refusesMoreThanAllFunctionsMayHaveTogether() {
        AdmissionLimits few =
                new AdmissionLimits(
                        8 << 20, 64 << 10, 256, 1_000, 100, 16, 10_000, 10_000, 1_000, 10_000,
                        10_000, 10_000, 10_000, 2 << 20, 1_000, 256, 1_000, 2_000, 10, 20, 3);
        WasmBuilder locals = new WasmBuilder();
        locals.function(":", "iiii", new WasmCode());
        assertEquals(
                List.of("limit_all_locals"),
                Admission.admit(locals.build(), AdmissionRules.closed(few)).reasons().stream()
                        .map(Reason::code)
                        .toList());
        assertEquals(
                List.of("limit_blocks"),
                Admission.admit(CompileBombs.loops(7, 3), AdmissionRules.closed(few))
                        .reasons()
                        .stream()
                        .map(Reason::code)
                        .toList());
    }

    @Test
    void refusesWhatMeteringMakesTooLarge() {
        refused(CompileBombs.straight(60_000, 130), "limit_metered", "at most 5242880");
    }

    @Test
    void admitsWhatIsWithinTheBudget() {
        assertEquals(List.of(), reasons(CompileBombs.nested(200, 60)));
        assertEquals(List.of(), reasons(CompileBombs.loops(8_192, 16)));
        assertEquals(List.of(), reasons(CompileBombs.straight(30_000, 100)));
    }
}
