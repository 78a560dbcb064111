package palyra.skills.engine.wasmtime.internal;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.wasm.WasmEngine;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeEngine;
import palyra.skills.engine.wasmtime.internal.gateway.WorkerFiles;
import palyra.testing.wasm.suite.WasmSuiteContract;

/** The official test suite. */
class WasmtimeSuiteTest extends WasmSuiteContract {
    @TempDir Path folder;

    @Override
    protected WasmEngine start() {
        return new WasmtimeEngine(
                WasmtimeContractTest.SETTINGS,
                new WorkerFiles(folder, new TestFiles()),
                new PlainWorkerStarter(),
                "test");
    }

    @Override
    protected void stop(WasmEngine engine) {
        ((WasmtimeEngine) engine).close();
    }
}
