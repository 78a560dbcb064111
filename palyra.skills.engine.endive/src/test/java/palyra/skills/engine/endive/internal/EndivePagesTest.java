package palyra.skills.engine.endive.internal;

import palyra.skills.engine.endive.internal.code.DiskCache;
import palyra.testing.wasm.engine.WasmPagesContract;

class EndivePagesTest extends WasmPagesContract<EndiveEngine> {
    @Override
    protected EndiveEngine engine(int pages) {
        return new EndiveEngine(
                Engines.settings(16, pages, 1 << 20), DiskCache.NONE, new InProcess(), "test");
    }
}
