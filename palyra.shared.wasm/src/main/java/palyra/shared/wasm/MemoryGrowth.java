package palyra.shared.wasm;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.api.core.wasm.WasmModule;

/**
 * The host function for {@link WasmModule#GROW}: it takes the pages from the pool of all calls, and
 * waits while the pool is empty. Stateless.
 */
public final class MemoryGrowth {
    private MemoryGrowth() {}

    /**
     * Returns a host with the function beside its own.
     *
     * @param claim of the call
     * @param pid of the engine's configuration, where people find {@code maxPages}
     */
    public static WasmHost with(WasmHost host, PagePool.Claim claim, String pid) {
        WasmFunction grow =
                new WasmFunction(
                        WasmModule.METER,
                        WasmModule.GROW,
                        List.of(Number.I32),
                        List.of(),
                        (memory, arguments) -> {
                            take(claim, (int) arguments[0], WasmEnding.OUT_OF_MEMORY, pid);
                            return 0;
                        });
        List<WasmFunction> all = new ArrayList<>(host.functions());
        all.add(grow);
        return new WasmHost(all);
    }

    /**
     * Takes the pages that a memory begins with; waits until they can be had.
     *
     * @throws WasmStop REFUSED when they never can; OTHER when the thread was interrupted, because
     *     the call is to end
     */
    public static void begin(PagePool.Claim claim, int pages, String pid) {
        take(claim, pages, WasmEnding.REFUSED, pid);
    }

    private static void take(PagePool.Claim claim, int pages, WasmEnding never, String pid) {
        try {
            if (!claim.take(pages)) {
                throw new WasmStop(
                        never,
                        "Its memory would come to "
                                + (claim.held() + (long) pages)
                                + " pages, and all calls together have "
                                + claim.total()
                                + ": raise maxPages of "
                                + pid
                                + ", or lower max_memory_bytes.");
            }
        } catch (InterruptedException e) {
            throw new WasmStop(WasmEnding.OTHER, "The call is to end while it waits for memory.");
        }
    }
}
