package palyra.testing.wasm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.core.wasm.WasmModule;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.shared.wasm.Admitted;
import palyra.shared.wasm.FunctionExport;
import palyra.shared.wasm.FunctionImport;
import palyra.shared.wasm.FunctionType;
import palyra.shared.wasm.ModuleFacts;
import palyra.shared.wasm.Reason;
import palyra.shared.wasm.ValueType;

/** What modules may import, must export and how large they may become. */
class AdmissionTest {
    private static final AdmissionLimits LIMITS = AdmissionLimits.DEFAULTS.withMemoryPages(8);
    private static final FunctionType LENGTH =
            new FunctionType(List.of(ValueType.I32), List.of(ValueType.I32));
    private static final AdmissionRules RULES =
            new AdmissionRules(
                    LIMITS,
                    List.of(
                            new FunctionImport("palyra", "buffer_len", LENGTH),
                            new FunctionImport(
                                    "palyra:plugins/host-capabilities@0.1.0",
                                    "http-count",
                                    FunctionType.ENTRYPOINT)),
                    List.of(new FunctionExport("palyra_call", FunctionType.ENTRYPOINT)),
                    true);

    private static WasmBuilder tool() {
        WasmBuilder builder = new WasmBuilder();
        builder.imported("palyra", "buffer_len", "i:i");
        return finished(builder);
    }

    private static WasmBuilder finished(WasmBuilder builder) {
        int call = builder.function(":i", "", new WasmCode().i32(0));
        return builder.memory(1, -1).export("memory", 2, 0).export("palyra_call", 0, call);
    }

    private static Set<String> codes(WasmBuilder builder) {
        return Set.copyOf(
                Admission.admit(builder.build(), RULES).reasons().stream()
                        .map(Reason::code)
                        .toList());
    }

    @Test
    void aToolWithItsImportsAndExportsIsAdmitted() {
        Admitted admitted = Admission.admit(tool().build(), RULES);
        assertTrue(admitted.ok(), () -> "" + admitted.reasons());
        WasmModule module = admitted.module().orElseThrow();
        assertEquals(8, module.memoryPages());
        assertFalse(module.start());
        assertEquals(3, module.meterVersion());
        ModuleFacts facts = admitted.facts();
        assertEquals("(i32) -> (i32)", facts.imports().getFirst().type());
        assertEquals(2, facts.exports().size());
        assertNotEquals(module.sha256(), facts.sha256());
        WasmBuilder legacy = new WasmBuilder();
        legacy.imported("palyra:plugins/host-capabilities@0.1.0", "http-count", ":i");
        assertEquals(Set.of(), codes(finished(legacy)));
    }

    @Test
    void importsThatWereNotGrantedAreRefusedByNameAndType() {
        WasmBuilder builder = new WasmBuilder();
        builder.imported("palyra", "host_capability_http_request", "ii:i");
        builder.imported("palyra", "buffer_len", "I:i");
        builder.imported("wasi_snapshot_preview1", "path_open", "i:i");
        builder.imported("palyra:fuel", "x", ":i");
        Admitted admitted = Admission.admit(finished(builder).build(), RULES);
        assertEquals(
                List.of(
                        "import_not_granted",
                        "import_type",
                        "import_not_granted",
                        "import_not_granted"),
                admitted.reasons().stream().map(Reason::code).toList());
        assertTrue(
                admitted.reasons().getFirst().sentence().contains("host_capability_http_request"));
        assertTrue(admitted.module().isEmpty());
    }

    @Test
    void onlyFunctionsCanBeImported() {
        assertEquals(
                Set.of("import_kind", "feature_multi_memory"),
                codes(tool().importedRaw("env", "memory", 2, 0, 1)));
        assertEquals(Set.of("import_kind"), codes(tool().importedRaw("env", "t", 1, 0x70, 0, 1)));
        assertEquals(Set.of("import_kind"), codes(tool().importedRaw("env", "g", 3, 0x7F, 1)));
    }

    @Test
    void namesOfMeteringAreReserved() {
        assertEquals(Set.of("export_reserved"), codes(tool().export("palyra:fuel", 0, 1)));
        assertEquals(Set.of("export_reserved"), codes(tool().export("palyra:other", 2, 0)));
    }

    @Test
    void requiredExportsAreThereByTheirType() {
        assertEquals(Set.of("export_missing"), codes(new WasmBuilder()));
        assertEquals(2, Admission.admit(new WasmBuilder().build(), RULES).reasons().size());
        WasmBuilder other = new WasmBuilder().memory(1, -1).export("memory", 2, 0);
        other.export("palyra_call", 0, other.function(":I", "", new WasmCode().i64(0)));
        assertEquals(Set.of("export_type"), codes(other));
        WasmBuilder swapped = new WasmBuilder().memory(1, -1).export("palyra_call", 2, 0);
        swapped.export("memory", 0, swapped.function(":", "", new WasmCode()));
        assertEquals(Set.of("export_type"), codes(swapped));
        WasmBuilder nowhere = new WasmBuilder().memory(1, -1).export("memory", 2, 0);
        assertEquals(Set.of("module_invalid"), codes(nowhere.export("palyra_call", 0, 7)));
    }

    @Test
    void memoryAndTableAreClamped() {
        assertEquals(8, pages(1, -1));
        assertEquals(8, pages(1, 65_536));
        assertEquals(3, pages(1, 3));
        assertEquals(8, pages(8, -1));
        WasmBuilder large = new WasmBuilder().memory(9, -1);
        assertTrue(codes(large).contains("memory_too_large"));
        assertTrue(codes(new WasmBuilder().table(10_001, -1)).contains("table_too_large"));
    }

    private static int pages(int least, int most) {
        return Admission.admit(
                        new WasmBuilder().memory(least, most).build(),
                        AdmissionRules.closed(LIMITS))
                .module()
                .orElseThrow()
                .memoryPages();
    }

    @Test
    void theClampIsInTheBytes() {
        WasmCode grow = new WasmCode().i32(7).op(0x40, 0, 0x1A).i32(1).op(0x40, 0);
        WasmBuilder builder = new WasmBuilder().memory(1, 60_000);
        builder.export("run", 0, builder.function(":i", "", grow));
        Guest guest = Guest.metered(builder.build(), LIMITS);
        assertEquals(-1, guest.call("run", 1L << 40).value());
        assertEquals(8, guest.pages());
    }

    @Test
    void theDigestDependsOnTheCapsAndNotOnCustomSections() {
        AdmissionRules rules = AdmissionRules.closed(LIMITS);
        byte[] plain = tool().build();
        byte[] named = tool().custom("producers", new byte[] {1, 2, 3}).build();
        Admitted one = Admission.admit(plain, RULES);
        Admitted two = Admission.admit(named, RULES);
        assertEquals(List.of("producers"), two.facts().customSections());
        assertNotEquals(one.facts().sha256(), two.facts().sha256());
        assertEquals(one.module().orElseThrow().sha256(), two.module().orElseThrow().sha256());
        byte[] memory = new WasmBuilder().memory(1, -1).build();
        assertNotEquals(
                Admission.admit(memory, rules).module().orElseThrow().sha256(),
                Admission.admit(memory, AdmissionRules.closed(LIMITS.withMemoryPages(9)))
                        .module()
                        .orElseThrow()
                        .sha256());
    }

    @Test
    void factsNameFeatures() {
        WasmBuilder builder = new WasmBuilder().memory(1, -1);
        builder.global('i', true, new WasmCode().i32(0));
        WasmCode code = new WasmCode().i32(1).op(0xC0, 0x1A).f64(1).prefixed(2).op(0x1A);
        builder.function(":ii", "", code.i32(0).i32(0).i32(0).prefixed(11, 0).i32(1).i32(2));
        byte[] module = builder.export("g", 3, 0).build();
        assertEquals(
                Set.of(
                        "bulk-memory",
                        "float",
                        "multi-value",
                        "mutable-global",
                        "saturating-conversion",
                        "sign-extension"),
                Admission.admit(module, AdmissionRules.closed(LIMITS)).facts().features());
    }

    @Test
    void bytesThatAreNoModuleGetAnAnswerToo() {
        Admitted admitted = Admission.admit(new byte[] {1, 2, 3}, RULES);
        assertFalse(admitted.ok());
        assertEquals("module_malformed", admitted.reasons().getFirst().code());
        assertEquals(3, admitted.facts().bytes());
    }
}
