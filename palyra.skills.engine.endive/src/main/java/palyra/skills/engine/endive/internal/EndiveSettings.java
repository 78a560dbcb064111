package palyra.skills.engine.endive.internal;

import java.util.concurrent.TimeUnit;
import palyra.shared.settings.Bounds;
import palyra.skills.engine.endive.internal.code.CompileLimits;

/**
 * Checked configuration.
 *
 * @param calls most calls at once
 * @param pages most pages of all running instances together
 * @param cacheBytes compiled code kept in memory
 * @param diskCacheBytes compiled code kept on disk; 0 for none
 * @param stackBytes stack of a thread that runs calls
 * @param compile what one compilation may take
 */
public record EndiveSettings(
        int calls,
        int pages,
        long cacheBytes,
        long diskCacheBytes,
        int stackBytes,
        CompileLimits compile) {
    private static final int PAGE = 65_536;

    /** Checks. */
    public EndiveSettings {
        range("maxConcurrentCalls", calls, 1, 1_024);
        range("maxPages", pages, 1, 1 << 24);
        range("cacheBytes", cacheBytes, 1L << 20, 1L << 40);
        range("diskCacheBytes", diskCacheBytes, 0, 1L << 40);
        range("stackBytes", stackBytes, 1L << 20, 64L << 20);
        range("compileHeapBytes", compile.heapBytes(), 64L << 20, 4L << 30);
        range("compileCpuSeconds", compile.cpuMillis() / 1_000, 1, 600);
    }

    private static void range(String name, long value, long least, long most) {
        Bounds.within(EndiveConfiguration.PID, name, value, least, most);
    }

    static EndiveSettings from(EndiveConfiguration configuration) {
        return new EndiveSettings(
                configuration.maxConcurrentCalls(),
                configuration.maxPages() == 0 ? halfOfHeap() : configuration.maxPages(),
                configuration.cacheBytes(),
                configuration.diskCacheBytes(),
                configuration.stackBytes(),
                new CompileLimits(
                        configuration.compileHeapBytes(),
                        TimeUnit.SECONDS.toMillis(configuration.compileCpuSeconds())));
    }

    private static int halfOfHeap() {
        long pages = Runtime.getRuntime().maxMemory() / 2 / PAGE;
        return (int) Math.clamp(pages, 1, 1 << 24);
    }
}
