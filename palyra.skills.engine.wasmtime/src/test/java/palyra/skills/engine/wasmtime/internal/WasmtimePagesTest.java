package palyra.skills.engine.wasmtime.internal;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeEngine;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeSettings;
import palyra.skills.engine.wasmtime.internal.gateway.WorkerFiles;
import palyra.testing.wasm.engine.WasmPagesContract;

/** A worker that no sandbox confines. */
class WasmtimePagesTest extends WasmPagesContract<WasmtimeEngine> {
    @TempDir Path folder;

    @Override
    protected WasmtimeEngine engine(int pages) {
        return new WasmtimeEngine(
                new WasmtimeSettings(true, 8, pages, 1L << 30, 60_000, Set.of()),
                new WorkerFiles(folder, new TestFiles()),
                new PlainWorkerStarter(),
                "test");
    }
}
