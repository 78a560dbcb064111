package palyra.skills.engine.wasmtime.internal.gateway;

import java.util.Set;
import palyra.shared.settings.Bounds;

/**
 * Checked configuration.
 *
 * @param enabled whether the worker may be started
 * @param calls most calls at once
 * @param pages most pages of all running instances together
 * @param memoryBytes memory of the worker
 * @param idleMillis after that a worker without calls is ended
 * @param permitMissing kernel features that Tier B may do without
 */
public record WasmtimeSettings(
        boolean enabled,
        int calls,
        int pages,
        long memoryBytes,
        long idleMillis,
        Set<String> permitMissing) {
    /** Most pages of one module: what a slot of the worker reserves. */
    public static final int PAGES_OF_ONE = 4_096;

    /** Checks. */
    public WasmtimeSettings {
        range("maxConcurrentCalls", calls, 1, 32);
        range("maxPages", pages, 1, 1 << 18);
        range("memoryBytes", memoryBytes, 256L << 20, 1L << 40);
        range("idleMinutes", idleMillis, 1, 24L * 3_600_000);
        permitMissing = Set.copyOf(permitMissing);
    }

    private static void range(String name, long value, long least, long most) {
        Bounds.within("palyra.skills.engine.wasmtime", name, value, least, most);
    }
}
