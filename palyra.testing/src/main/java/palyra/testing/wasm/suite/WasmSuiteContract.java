package palyra.testing.wasm.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.testing.wasm.engine.WasmStage;

/**
 * WebAssembly's official test suite on an engine, through admission and metering: what returns, by
 * its bits, what traps, what is exhausted, and what is invalid or malformed. Without the system
 * property {@code palyra.wasm.suite} it is skipped; {@code ./palyra test} sets it to the folder
 * that {@code scripts/wasm-suite.sh} made. The long form ({@code palyra.test.full}) runs all
 * scripts.
 */
public abstract class WasmSuiteContract extends WasmStage {
    private static final String FOLDER = "palyra.wasm.suite";
    private static final String FULL = "palyra.test.full";

    /** Scripts of the short form: each class of instructions, and the binary format. */
    private static final Set<String> SHORT =
            Set.of(
                    "align",
                    "binary",
                    "binary-leb128",
                    "block",
                    "call",
                    "call_indirect",
                    "conversions",
                    "custom",
                    "data",
                    "endianness",
                    "exports",
                    "f32",
                    "f64_bitwise",
                    "f32_cmp",
                    "float_literals",
                    "float_misc",
                    "func",
                    "func_ptrs",
                    "globals",
                    "i32",
                    "i64",
                    "if",
                    "int_exprs",
                    "labels",
                    "left-to-right",
                    "linking",
                    "local_tee",
                    "loop",
                    "memory_grow",
                    "names",
                    "select",
                    "stack",
                    "start",
                    "switch",
                    "traps",
                    "unreachable",
                    "unreached-invalid",
                    "unwind",
                    "utf8-custom-section-id");

    /** Fewest assertions of each kind that have to hold, so that a part left out is noticed. */
    private static final Map<String, Integer> FEWEST =
            Map.of(
                    "assert_return",
                    5_500,
                    "assert_trap",
                    150,
                    "assert_invalid",
                    400,
                    "assert_malformed",
                    250);

    private static final Map<String, Integer> FEWEST_FULL =
            Map.of(
                    "assert_return",
                    35_000,
                    "assert_trap",
                    1_600,
                    "assert_invalid",
                    2_900,
                    "assert_malformed",
                    1_000);

    /**
     * Why commands are not run: features and imports that no module may have, and the text format.
     */
    private static final Set<String> NOT_SUPPORTED =
            Set.of(
                    "feature_memory64",
                    "feature_reference_types",
                    "feature_simd",
                    "import_kind",
                    "import_not_granted",
                    "import_type",
                    "limit_locals",
                    "superseded",
                    "text_format");

    /**
     * Scripts of features that are not supported, which wabt 1.0.32 does not read; the last two
     * have text only.
     */
    private static final Set<String> NOT_READ =
            Set.of(
                    "array",
                    "atomics",
                    "br_on_null",
                    "bulk-memory",
                    "bulk-memory64",
                    "call_ref",
                    "elem",
                    "elem_reftypes",
                    "exception-handling",
                    "float_memory64",
                    "i31",
                    "multivalue",
                    "ref_as_non_null",
                    "ref_cast",
                    "ref_eq",
                    "simd",
                    "struct",
                    "table",
                    "table_fill",
                    "table_get",
                    "table_grow",
                    "table_set",
                    "table_size",
                    "tags",
                    "tuples",
                    "typecheck",
                    "token",
                    "utf8-invalid-encoding");

    /** Modules of the scripts. */
    @TempDir protected Path scratch;

    /**
     * Every assertion that can be run holds, and no other module is refused than those of known
     * features.
     */
    @Test
    public void doesWhatTheOfficialSuiteSays() throws Exception {
        String folder = System.getProperty(FOLDER, "");
        assumeFalse(
                folder.isEmpty(),
                "the official suite is not here: scripts/wasm-suite.sh fetches it, -D" + FOLDER);
        boolean full = Boolean.getBoolean(FULL);
        SuiteSource source = new SuiteSource(Path.of(folder));
        List<String> files =
                source.names().stream()
                        .filter(each -> full || SHORT.contains(each.replace(".wast", "")))
                        .toList();
        Map<String, String> unread = new LinkedHashMap<>();
        SuiteRun run = new SuiteRun(this::run);
        for (SuiteScript each : source.scripts(files, scratch, unread)) {
            run.run(each);
        }
        System.out.println(
                "official suite: held " + run.passed() + ", not supported " + run.notSupported());
        assertEquals(List.of(), run.failures());
        for (Map.Entry<String, String> each : unread.entrySet()) {
            String name = each.getKey().replaceAll("\\.wast.*", "");
            assertTrue(NOT_READ.contains(name), () -> name + ": " + each.getValue());
        }
        assertEquals(Set.of(), without(run.notSupported().keySet(), NOT_SUPPORTED));
        (full ? FEWEST_FULL : FEWEST)
                .forEach(
                        (kind, fewest) ->
                                assertTrue(
                                        run.passed().getOrDefault(kind, 0) >= fewest,
                                        () -> kind + ": " + run.passed() + ", at least " + fewest));
    }

    private static Set<String> without(Set<String> all, Set<String> known) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(known);
        return rest;
    }
}
