package palyra.skills.engine.wasmtime.internal;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.wasm.WasmEngine;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeEngine;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeSettings;
import palyra.skills.engine.wasmtime.internal.gateway.WorkerFiles;
import palyra.testing.wasm.engine.WasmEngineContract;

/** The rules for every engine, with a worker that no sandbox confines. */
class WasmtimeContractTest extends WasmEngineContract {
    static final WasmtimeSettings SETTINGS =
            new WasmtimeSettings(true, 8, 1_024, 1L << 30, 60_000, Set.of());

    @TempDir static Path folder;
    private static WasmtimeEngine kept;

    @Override
    protected WasmEngine start() {
        if (kept == null || !kept.view().ready()) {
            kept =
                    new WasmtimeEngine(
                            SETTINGS,
                            new WorkerFiles(folder, new TestFiles()),
                            new PlainWorkerStarter(),
                            "test");
        }
        return kept;
    }

    @Override
    protected void stop(WasmEngine engine) {
        ((WasmtimeEngine) engine).close();
    }

    @Override
    protected void release(WasmEngine used) {
        // Kept for the next test: a worker takes a second to start.
    }

    @AfterAll
    static void stopKept() {
        kept.close();
    }
}
