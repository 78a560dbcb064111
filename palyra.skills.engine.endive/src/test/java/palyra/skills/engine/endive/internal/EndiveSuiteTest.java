package palyra.skills.engine.endive.internal;

import palyra.api.core.wasm.WasmEngine;
import palyra.skills.engine.endive.internal.code.DiskCache;
import palyra.testing.wasm.suite.WasmSuiteContract;

/** The official test suite. */
class EndiveSuiteTest extends WasmSuiteContract {
    @Override
    protected WasmEngine start() {
        return Engines.make(DiskCache.NONE);
    }

    @Override
    protected void stop(WasmEngine engine) {
        ((EndiveEngine) engine).close();
    }
}
