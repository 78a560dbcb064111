package palyra.testing.wasm.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.core.wasm.WasmCall;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmModule;
import palyra.api.core.wasm.WasmResult;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.shared.wasm.Admitted;
import palyra.testing.wasm.CorpusModule;
import palyra.testing.wasm.CorpusModules;

/**
 * The same module and input use the same fuel on every engine: runs the corpus and compares with
 * {@code corpus-fuel.txt}, one line for each module: name, ending, value, fuel, pages. To write
 * that file again, after a change of metering or of the corpus, run the test of one engine with the
 * environment variable {@code PALYRA_CORPUS_WRITE} set to its path; the other engine must then
 * agree.
 */
public abstract class WasmCorpusContract extends WasmStage {
    private static final String GOLDEN = "corpus-fuel.txt";
    private static final String WRITE = "PALYRA_CORPUS_WRITE";
    private static final int FEWEST = 300;
    private static final int EVERY = 7;

    /** Endings, values, fuel and pages are those of every other engine. */
    @Test
    public void usesTheSameFuelAsEveryEngine() throws Exception {
        List<String> lines = new ArrayList<>();
        for (CorpusModule one : CorpusModules.all()) {
            lines.add(one.name() + " " + line(run(one, one.fuel())));
        }
        assertTrue(lines.size() >= FEWEST, "only " + lines.size() + " modules");
        String write = System.getenv(WRITE);
        if (write != null) {
            Files.write(Path.of(write), lines);
            return;
        }
        assertEquals(String.join("\n", golden()), String.join("\n", lines));
    }

    /** One unit less than a module uses is too little, exactly as much is enough. */
    @Test
    public void stopsAtTheSamePoint() throws Exception {
        List<CorpusModule> modules = CorpusModules.all();
        for (int at = 0; at < modules.size(); at += EVERY) {
            CorpusModule one = modules.get(at);
            WasmResult whole = run(one, one.fuel());
            if (whole.ending() == WasmEnding.RETURNED && whole.fuelUsed() > 1) {
                assertEquals(line(whole), line(run(one, whole.fuelUsed())), one.name());
                WasmResult less = run(one, whole.fuelUsed() - 1);
                assertEquals(WasmEnding.OUT_OF_FUEL, less.ending(), one.name() + " " + less);
                assertEquals(whole.fuelUsed() - 1, less.fuelUsed(), one.name());
            }
        }
    }

    private WasmResult run(CorpusModule one, long fuel) throws InterruptedException {
        WasmCall call = new WasmCall(id(), admitted(one), List.of(one.export()), fuel, 120_000);
        return run(call, HostFunctions.none());
    }

    private static String line(WasmResult result) {
        return result.ending()
                + " "
                + result.value()
                + " "
                + result.fuelUsed()
                + " "
                + result.memoryPages();
    }

    private static WasmModule admitted(CorpusModule one) {
        Admitted admitted =
                Admission.admit(one.bytes(), AdmissionRules.closed(AdmissionLimits.DEFAULTS));
        return admitted.module()
                .orElseThrow(
                        () ->
                                new AssertionError(
                                        one.name() + " is refused: " + admitted.reasons()));
    }

    private static List<String> golden() throws IOException {
        try (InputStream in = WasmCorpusContract.class.getResourceAsStream(GOLDEN)) {
            if (in == null) {
                throw new AssertionError(GOLDEN + " is missing: write it by " + WRITE + ".");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
