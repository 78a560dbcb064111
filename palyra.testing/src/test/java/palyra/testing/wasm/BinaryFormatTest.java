package palyra.testing.wasm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.ByteWriter;
import palyra.shared.wasm.Reason;

/** The decoder is strict, and refuses bombs before it makes room for them. */
class BinaryFormatTest {
    private static byte[] module(int... sections) {
        return new ByteWriter(64).u8(0, 'a', 's', 'm', 1, 0, 0, 0).u8(sections).toBytes();
    }

    private static String code(byte[] module) {
        List<Reason> reasons = Admission.validate(module, AdmissionLimits.DEFAULTS);
        return reasons.isEmpty() ? "ok" : reasons.getFirst().code();
    }

    private static void malformed(int... sections) {
        assertEquals("module_malformed", code(module(sections)), Arrays.toString(sections));
    }

    @Test
    void theEmptyModuleIsFineAndAnotherHeaderIsNot() {
        assertEquals("ok", code(module()));
        assertEquals("module_malformed", code(new byte[0]));
        assertEquals("module_malformed", code(new byte[] {0, 'a', 's', 'm', 2, 0, 0, 0}));
        assertEquals("module_malformed", code(new byte[] {0, 'a', 's', 'm', 1, 0, 2, 0}));
    }

    @Test
    void callsAComponentAComponentAndSaysWhatToDo() {
        byte[] component = {0, 'a', 's', 'm', 13, 0, 1, 0};
        List<Reason> reasons = Admission.validate(component, AdmissionLimits.DEFAULTS);
        assertEquals("feature_components", reasons.getFirst().code());
        String sentence = reasons.getFirst().sentence();
        assertTrue(sentence.contains("build a core module"), sentence);
    }

    @Test
    void numbersAreStrict() {
        assertEquals("ok", code(module(1, 0x81, 0x80, 0x80, 0x80, 0, 0)));
        malformed(1, 0x81, 0x80, 0x80, 0x80, 0x80, 0, 0);
        malformed(1, 0x81, 0x80, 0x80, 0x80, 0x10, 0);
        malformed(1, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0);
        malformed(1, 0x80);
        assertEquals(
                "ok", code(module(6, 10, 1, 0x7F, 0, 0x41, 0x80, 0x80, 0x80, 0x80, 0x78, 0x0B)));
        malformed(6, 10, 1, 0x7F, 0, 0x41, 0x80, 0x80, 0x80, 0x80, 0x08, 0x0B);
        malformed(6, 10, 1, 0x7F, 0, 0x41, 0xFF, 0xFF, 0xFF, 0xFF, 0x4F, 0x0B);
    }

    @Test
    void sectionsHaveAnOrderAndTheirExactSize() {
        malformed(1, 1, 0, 1, 1, 0);
        malformed(3, 1, 0, 1, 1, 0);
        malformed(10, 1, 0, 12, 1, 0);
        assertEquals("ok", code(module(12, 1, 0, 10, 1, 0, 11, 1, 0)));
        malformed(1, 2, 0, 0);
        malformed(1, 5, 1, 0x60, 0, 0);
        malformed(14, 0);
        malformed(3, 2, 1, 0);
        malformed(12, 1, 1);
    }

    @Test
    void namesAreUtf8() {
        assertEquals("ok", code(module(0, 3, 2, 0xC3, 0xA4)));
        malformed(0, 3, 2, 0xC3, 0x28);
        malformed(0, 4, 3, 0xED, 0xA0, 0x80);
        malformed(0, 3, 2, 0xC0, 0x80);
        malformed(0, 3, 9, 'a', 'b');
    }

    @Test
    void countsThatAreTooLargeAreRefusedBeforeAnythingIsMade() {
        assertEquals("limit_types", code(module(1, 5, 0xFF, 0xFF, 0xFF, 0xFF, 0x07)));
        malformed(1, 5, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F);
        malformed(1, 2, 0xE7, 0x07);
        assertEquals("limit_parameters", code(module(1, 5, 1, 0x60, 0xFF, 0xFF, 0x7F)));
        assertEquals("limit_functions", code(module(3, 3, 0xFF, 0xFF, 0x7F)));
        assertEquals(
                "limit_elements", code(module(9, 9, 1, 0, 0x41, 0, 0x0B, 0xFF, 0xFF, 0xFF, 0x7F)));
        assertEquals("limit_module", code(new byte[AdmissionLimits.DEFAULTS.moduleBytes() + 1]));
    }

    @Test
    void whatIsNotAdmittedIsNamed() {
        assertEquals("feature_gc", code(module(1, 3, 1, 0x5F, 0)));
        assertEquals("feature_simd", code(module(1, 5, 1, 0x60, 1, 0x7B, 0)));
        assertEquals("feature_reference_types", code(module(1, 5, 1, 0x60, 1, 0x6F, 0)));
        assertEquals("feature_reference_types", code(module(4, 4, 1, 0x6F, 0, 0)));
        assertEquals("feature_threads", code(module(5, 4, 1, 3, 1, 1)));
        assertEquals("feature_memory64", code(module(5, 3, 1, 4, 1)));
        assertEquals("feature_multi_memory", code(module(5, 5, 2, 0, 1, 0, 1)));
        assertEquals("feature_reference_types", code(module(4, 7, 2, 0x70, 0, 1, 0x70, 0, 1)));
        assertEquals("feature_exceptions", code(module(13, 1, 0)));
        assertEquals(
                "feature_extended_constants",
                code(module(6, 9, 1, 0x7F, 0, 0x41, 1, 0x41, 1, 0x6A, 0x0B)));
    }

    private static String body(int... instructions) {
        WasmBuilder builder = new WasmBuilder().memory(1, -1);
        builder.function(":", "", new WasmCode().op(instructions));
        return code(builder.build());
    }

    @Test
    void instructionsThatAreNotAdmittedAreNamed() {
        assertEquals("feature_simd", body(0xFD, 0x0C));
        assertEquals("feature_threads", body(0xFE, 0x03, 0x00));
        assertEquals("feature_tail_calls", body(0x12, 0));
        assertEquals("feature_exceptions", body(0x08, 0));
        assertEquals("feature_exceptions", body(0x1F, 0x40));
        assertEquals("feature_gc", body(0xFB, 0));
        assertEquals("feature_reference_types", body(0xD0, 0x70));
        assertEquals("feature_reference_types", body(0x25, 0));
        assertEquals("feature_reference_types", body(0xFC, 16, 0));
        assertEquals("feature_wide_arithmetic", body(0xFC, 19));
        assertEquals("feature_multi_memory", body(0x41, 0, 0x28, 0x40, 1, 0, 0x1A));
        assertEquals("module_malformed", body(0x27));
        assertEquals("module_malformed", body(0xFC, 40));
        assertEquals("module_malformed", body(0xFF));
    }

    @Test
    void bombsAreRefusedByLimits() {
        assertEquals("limit_nesting", code(nested(257)));
        assertEquals("ok", code(nested(256)));
        WasmBuilder locals = new WasmBuilder();
        byte[] many = new ByteWriter(16).u8(1).u32(50_000).u8(0x7F, 0x0B).toBytes();
        locals.raw(":", many);
        assertEquals("limit_locals", code(locals.build()));
        WasmBuilder groups = new WasmBuilder();
        groups.raw(":", new ByteWriter(16).u8(2).u32(-1).u8(0x7F).u32(2).u8(0x7E, 0x0B).toBytes());
        assertEquals("limit_locals", code(groups.build()));
        WasmBuilder table = new WasmBuilder();
        table.raw(":", new ByteWriter(16).u8(0, 0x41, 0, 0x0E).u32(1 << 30).u8(0, 0x0B).toBytes());
        assertEquals("module_malformed", code(table.build()));
        WasmBuilder large = new WasmBuilder();
        large.raw(":", new ByteWriter(16).u8(0).raw(nops(), 0, nops().length).u8(0x0B).toBytes());
        assertEquals("limit_function", code(large.build()));
    }

    private static byte[] nops() {
        byte[] nops = new byte[70_000];
        Arrays.fill(nops, (byte) 1);
        return nops;
    }

    private static byte[] nested(int depth) {
        WasmCode code = new WasmCode();
        for (int i = 0; i < depth; i++) {
            code.block();
        }
        for (int i = 0; i < depth; i++) {
            code.end();
        }
        WasmBuilder builder = new WasmBuilder();
        builder.function(":", "", code);
        return builder.build();
    }

    @Test
    void everyTruncationOfAModuleIsRefused() {
        byte[] module = ModuleGenerator.module(11);
        int sections = 0;
        for (int length = 0; length < module.length; length++) {
            boolean fine = code(Arrays.copyOf(module, length)).equals("ok");
            sections += fine ? 1 : 0;
        }
        assertTrue(sections <= 3, "only before or after a whole section");
    }
}
