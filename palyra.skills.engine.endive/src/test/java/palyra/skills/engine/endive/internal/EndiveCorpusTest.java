package palyra.skills.engine.endive.internal;

import palyra.api.core.wasm.WasmEngine;
import palyra.skills.engine.endive.internal.code.DiskCache;
import palyra.testing.wasm.engine.WasmCorpusContract;

/** The same fuel as on every engine. */
class EndiveCorpusTest extends WasmCorpusContract {
    @Override
    protected WasmEngine start() {
        return Engines.make(DiskCache.NONE);
    }

    @Override
    protected void stop(WasmEngine engine) {
        ((EndiveEngine) engine).close();
    }
}
