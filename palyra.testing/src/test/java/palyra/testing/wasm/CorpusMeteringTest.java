package palyra.testing.wasm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.core.wasm.WasmModule;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;

/** Metering does not change what modules do, and what it makes is valid. */
class CorpusMeteringTest {
    /** Metered code is longer, nests deeper and has more locals than what is admitted. */
    static final AdmissionLimits METERED =
            new AdmissionLimits(
                    64 << 20, 1 << 20, 300, 1_002, 100, 16, 10_020, 10_020, 1_000, 10_004, 10_003,
                    10_000, 10_000, 2 << 20, 1_000, 65_536, 1_000, 64 << 20, 1 << 20, 1 << 24,
                    1 << 24);

    @Test
    void meteredModulesAreValidAndTheSameEveryTime() {
        for (CorpusModule module : CorpusModules.all()) {
            WasmModule once = Guest.admitted(module.bytes(), AdmissionLimits.DEFAULTS);
            WasmModule again = Guest.admitted(module.bytes(), AdmissionLimits.DEFAULTS);
            assertEquals(List.of(), Admission.validate(once.bytes(), METERED), module::name);
            assertArrayEquals(once.bytes(), again.bytes(), module::name);
            assertEquals(once.sha256(), again.sha256(), module::name);
        }
    }

    @Test
    void generatedModulesDoWhatTheyDidBefore() {
        Map<String, Integer> endings = new HashMap<>();
        for (CorpusModule module : CorpusModules.generated().subList(0, 130)) {
            Guest.Result metered =
                    Guest.metered(module.bytes()).call(module.export(), module.fuel());
            endings.merge(metered.ending(), 1, Integer::sum);
            if (metered.ending().equals("returned") || metered.ending().equals("trapped")) {
                Guest.Result before = Guest.unmetered(module.bytes()).call(module.export());
                assertEquals(before.ending(), metered.ending(), module::name);
                assertEquals(before.value(), metered.value(), module::name);
                assertTrue(metered.fuel() <= module.fuel(), module::name);
            }
        }
        for (String ending : List.of("returned", "trapped", "fuel", "depth")) {
            assertTrue(endings.getOrDefault(ending, 0) > 0, () -> "endings " + endings);
        }
    }

    @Test
    void fuelIsTheSameEveryTimeAndWithExactlyThatMuchModulesStillReturn() {
        for (CorpusModule module : CorpusModules.generated().subList(0, 25)) {
            Guest.Result once = Guest.metered(module.bytes()).call(module.export(), module.fuel());
            assertEquals(
                    once,
                    Guest.metered(module.bytes()).call(module.export(), module.fuel()),
                    module::name);
            if (once.ending().equals("returned")) {
                assertEquals(
                        once,
                        Guest.metered(module.bytes()).call(module.export(), once.fuel()),
                        module::name);
                assertEquals(
                        "fuel",
                        Guest.metered(module.bytes())
                                .call(module.export(), once.fuel() - 1)
                                .ending(),
                        module::name);
            }
        }
    }

    @Test
    void theCorpusIsLargeEnoughAndItsNamesAreUnique() {
        Set<String> names = new HashSet<>();
        for (CorpusModule module : CorpusModules.all()) {
            assertTrue(names.add(module.name()), module::name);
        }
        assertTrue(CorpusModules.generated().size() >= 300);
        assertTrue(CorpusModules.real().size() >= 4);
    }

    @Test
    void compiledModulesDoWhatTheyDidBefore() {
        for (CorpusModule module : CorpusModules.real()) {
            if (Set.of("c-json.wasm", "c-malloc.wasm").contains(module.name())) {
                Guest.Result metered =
                        Guest.metered(module.bytes()).call(module.export(), module.fuel());
                assertEquals("returned", metered.ending(), module::name);
                assertEquals(
                        Guest.unmetered(module.bytes()).call(module.export()).value(),
                        metered.value(),
                        module::name);
            }
        }
    }
}
