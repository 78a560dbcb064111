package palyra.skills.engine.wasmtime.internal.gateway;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import palyra.api.core.wasm.WasmEnding;

/** Digests of modules that the worker has compiled; for the view only. Thread-safe. */
final class CompiledDigests {
    private final Set<String> digests = ConcurrentHashMap.newKeySet();

    void add(String digest) {
        digests.add(digest);
    }

    /** Updates the digests at the end of a call: a lost worker has no compiled modules. */
    void note(String digest, WasmEnding ending) {
        switch (ending) {
            case ENGINE_FAILED, ENGINE_STOPPED -> digests.clear();
            case LINK, REFUSED -> {}
            default -> digests.add(digest);
        }
    }

    int size() {
        return digests.size();
    }
}
