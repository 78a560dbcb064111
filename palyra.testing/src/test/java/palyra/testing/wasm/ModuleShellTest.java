package palyra.testing.wasm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.ModuleShell;

/** What is left of a module beside its compiled code. */
class ModuleShellTest {
    private static byte[] module() {
        WasmBuilder builder = new WasmBuilder();
        builder.imported("palyra", "buffer_len", "i:i");
        int first = builder.function(":i", "", new WasmCode().i32(11));
        builder.function("ii:i", "", new WasmCode().i32(22));
        return builder.memory(1, 2).export("first", 0, first).build();
    }

    private static boolean has(byte[] shell, int... code) {
        for (int at = 0; at + code.length <= shell.length; at++) {
            boolean here = true;
            for (int i = 0; i < code.length; i++) {
                here &= (shell[at + i] & 0xff) == code[i];
            }
            if (here) {
                return true;
            }
        }
        return false;
    }

    @Test
    void keepsOnlyTheBodiesThatAreAskedForCountingImportedFunctionsFirst() {
        byte[] first = ModuleShell.of(module(), Set.of(1));
        assertTrue(has(first, 0x41, 11), "the body of function 1 is gone");
        assertTrue(!has(first, 0x41, 22), "the body of function 2 is there");
        byte[] second = ModuleShell.of(module(), Set.of(2));
        assertTrue(has(second, 0x41, 22) && !has(second, 0x41, 11));
    }

    @Test
    void isValidWithAnyBodies() {
        for (Set<Integer> kept : List.of(Set.<Integer>of(), Set.of(1), Set.of(2), Set.of(1, 2))) {
            byte[] shell = ModuleShell.of(module(), kept);
            assertEquals(List.of(), Admission.validate(shell, AdmissionLimits.DEFAULTS));
        }
        for (CorpusModule each : CorpusModules.generated().subList(0, 40)) {
            byte[] shell = ModuleShell.of(each.bytes(), Set.of());
            assertEquals(List.of(), Admission.validate(shell, AdmissionLimits.DEFAULTS));
        }
    }

    @Test
    void weighsTheBodiesThatAreKept() {
        byte[] module = module();
        assertEquals(0, ModuleShell.bytesOf(module, Set.of()));
        assertTrue(ModuleShell.bytesOf(module, Set.of(1)) > 0);
    }
}
