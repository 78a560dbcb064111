package palyra.testing.wasm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.Reason;

/** Code whose types do not fit is refused, and what the specification allows is not. */
class ValidationTest {
    private static WasmBuilder builder() {
        WasmBuilder builder = new WasmBuilder().memory(1, -1).table(2, -1);
        builder.global('i', false, new WasmCode().i32(1));
        builder.global('i', true, new WasmCode().i32(1));
        builder.type("iI:Ii");
        return builder;
    }

    private static String code(WasmBuilder builder) {
        List<Reason> reasons = Admission.validate(builder.build(), AdmissionLimits.DEFAULTS);
        return reasons.isEmpty() ? "ok" : reasons.getFirst().code();
    }

    private static String of(String signature, WasmCode code) {
        WasmBuilder builder = builder();
        builder.function(signature, "iIfF", code);
        return code(builder);
    }

    private static void valid(String signature, WasmCode code) {
        assertEquals("ok", of(signature, code));
    }

    private static void invalid(String signature, WasmCode code) {
        assertEquals("module_invalid", of(signature, code));
    }

    private static WasmCode code() {
        return new WasmCode();
    }

    @Test
    void operandsHaveTheirTypes() {
        valid(":i", code().i32(1).i32(2).op(0x6A));
        invalid(":i", code().i32(1).i64(2).op(0x6A));
        invalid(":i", code().i32(1).op(0x6A));
        invalid(":i", code().op(0x6A));
        invalid(":i", code().i64(1));
        invalid(":i", code());
        invalid(":", code().i32(1));
        invalid(":i", code().i32(1).i32(2));
        valid(":F", code().f32(1).op(0xBB));
        invalid(":F", code().f64(1).op(0xBB));
        valid(":I", code().i64(1).op(0xC4));
        valid(":I", code().f64(1).prefixed(6));
        invalid(":I", code().f32(1).prefixed(6));
    }

    @Test
    void blocksKeepToTheirTypesAndTheirStack() {
        valid(":i", code().open(2, 'i').i32(1).end());
        invalid(":i", code().open(2, 'i').i64(1).end());
        invalid(":i", code().i32(1).block().op(0x1A).end());
        invalid(":", code().block().i32(1).end());
        valid(":Ii", code().i32(1).i64(2).openType(2, 0).op(0x1A, 0x1A).i64(1).i32(2).end());
        invalid(":Ii", code().i64(1).i32(2).openType(2, 0).end());
        invalid(":", code().openType(2, 99).end());
        invalid(":i", code().i32(1).open(4, 'i').i32(2).end());
        valid(":i", code().i32(1).open(4, 'i').i32(2).otherwise().i32(3).end());
        invalid(":i", code().i32(1).open(4, 'i').i32(2).otherwise().i64(3).end());
        invalid(":", code().block().otherwise().end());
        assertEquals("module_malformed", of(":", code().block()));
        assertEquals("module_malformed", of(":", code().end()));
    }

    @Test
    void branchesTakeWhatTheirLabelTakes() {
        valid(":i", code().open(2, 'i').i32(1).br(0).end());
        invalid(":i", code().open(2, 'i').i64(1).br(0).end());
        invalid(":", code().br(2));
        invalid(":", code().i32(0).brIf(-1));
        valid(":i", code().i32(1).i32(0).brIf(0));
        invalid(":i", code().i64(1).i32(0).brIf(0).op(0xA7));
        valid(":", code().block().i32(0).brTable(0, 1, 0).end());
        invalid(":i", code().block().i32(3).i32(0).brTable(0, 1).end().i32(1));
        valid(":", code().loop().br(0).end());
        invalid(":i", code().open(3, 'i').br(0).end().op(0x1A));
    }

    @Test
    void afterABranchAnythingGoesThatCouldFit() {
        valid(":i", code().op(0x00));
        valid(":i", code().op(0x00, 0x6A));
        valid(":i", code().i32(1).op(0x0F, 0x6A));
        invalid(":i", code().op(0x00).i64(1).op(0x6A));
        invalid(":", code().op(0x00).i64(1));
        valid(":I", code().op(0x00, 0x1B));
        valid(":I", code().op(0x00).i64(1).i32(1).op(0x1B));
        invalid(":i", code().op(0x00).i64(1).i32(1).op(0x1B));
        valid(":i", code().block().op(0x00).brTable(0, 0).end().i32(1));
    }

    @Test
    void indicesExist() {
        valid(":i", code().get(3).op(0x1A).get(0));
        invalid(":i", code().get(4));
        invalid(":i", code().get(-1));
        invalid(":i", code().getGlobal(2));
        valid(":", code().i32(1).setGlobal(1));
        invalid(":", code().i32(1).setGlobal(0));
        invalid(":", code().call(1));
        valid(":", code().call(0));
        invalid(":", code().i32(0).callIndirect(9));
        valid(":", code().i32(0).callIndirect(1));
        invalid(":", code().i32(0).i32(0).i32(0).prefixed(8, 0, 0));
        invalid(":", code().prefixed(13, 0));
    }

    @Test
    void accessesNeedAMemoryAndAnAlignment() {
        valid(":i", code().i32(0).access(0x28, 70_000));
        invalid(":i", code().i32(0).op(0x28, 3, 0));
        valid(":I", code().i32(0).op(0x29, 3, 0));
        invalid(":i", code().i64(0).access(0x28, 0));
        invalid(":", code().i32(0).i32(0).access(0x37, 0));
        WasmBuilder bare = new WasmBuilder();
        bare.function(":i", "", code().i32(0).access(0x28, 0));
        assertEquals("module_invalid", code(bare));
        WasmBuilder size = new WasmBuilder();
        size.function(":i", "", code().op(0x3F, 0));
        assertEquals("module_invalid", code(size));
    }

    @Test
    void modulesFitTogether() {
        assertEquals("ok", code(builder().elements(0).data(0, "x")));
        assertEquals("module_invalid", code(builder().elements(0, 3)));
        assertEquals("module_invalid", code(builder().export("a", 0, 0)));
        assertEquals("module_invalid", code(builder().export("a", 2, 0).export("a", 1, 0)));
        assertEquals("module_invalid", code(builder().start(0)));
        assertEquals("module_invalid", code(new WasmBuilder().data(0, "x")));
        assertEquals("module_invalid", code(new WasmBuilder().elements(0)));
        assertEquals("module_invalid", code(new WasmBuilder().memory(3, 2)));
        assertEquals("module_invalid", code(new WasmBuilder().memory(65_537, -1)));
        WasmBuilder start = builder();
        start.start(start.function(":i", "", code().i32(1)));
        assertEquals("module_invalid", code(start));
        WasmBuilder global = builder();
        global.global('I', true, code().i32(1));
        assertEquals("module_invalid", code(global));
        WasmBuilder later = builder();
        later.global('i', true, code().getGlobal(1));
        assertEquals("module_invalid", code(later));
    }

    @Test
    void namesTheFeatureOfAConstantThatNamesAnOwnGlobal() {
        String feature = "feature_extended_constants";
        WasmBuilder earlier = builder();
        earlier.global('i', true, code().getGlobal(0));
        assertEquals(feature, code(earlier));
        assertEquals(feature, code(builder().rawElements(0, 0x23, 0, 0x0B, 0)));
        WasmBuilder itself = builder();
        itself.global('i', false, code().getGlobal(2));
        assertEquals("module_invalid", code(itself));
        WasmBuilder otherType = builder();
        otherType.global('I', false, code().getGlobal(0));
        assertEquals("module_invalid", code(otherType));
        WasmBuilder missing = builder();
        missing.global('i', false, code().getGlobal(9));
        assertEquals("module_invalid", code(missing));
    }

    @Test
    void refusesWhatABranchInUnreachableCodeLeavesWithTheTypesOfItsLabel() {
        valid(":i", code().open(0x02, 'i').op(0x00).i32(1).brIf(0).end());
        valid(":i", code().open(0x02, 'i').op(0x00).brIf(0).end());
        invalid(":i", code().open(0x02, 'i').op(0x00).brIf(0).op(0xA7).end());
        valid(":i", code().open(0x02, 'i').open(0x02, 'i').op(0x00).i32(1).brIf(1).end().end());
        invalid(
                ":i",
                code().open(0x02, 'i')
                        .open(0x02, 'f')
                        .op(0x00)
                        .i32(1)
                        .brIf(1)
                        .end()
                        .op(0x1A)
                        .i32(1)
                        .end());
    }

    @Test
    void allBrokenFunctionsAreNamedAndNotOnlyTheFirst() {
        WasmBuilder builder = builder();
        builder.function(":i", "", code());
        builder.function(":", "", code());
        builder.function(":i", "", code().i64(1));
        List<Reason> reasons = Admission.validate(builder.build(), AdmissionLimits.DEFAULTS);
        assertEquals(2, reasons.size());
        assertEquals(true, reasons.getFirst().sentence().startsWith("function 0"));
        assertEquals(true, reasons.getLast().sentence().startsWith("function 2"));
    }
}
