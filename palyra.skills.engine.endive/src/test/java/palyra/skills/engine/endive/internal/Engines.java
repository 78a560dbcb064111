package palyra.skills.engine.endive.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import palyra.shared.worker.TierBSeam;
import palyra.skills.engine.endive.internal.code.CompileLimits;
import palyra.skills.engine.endive.internal.code.ConfinedCompilerStarter;
import palyra.skills.engine.endive.internal.code.DiskCache;

/** Makes engines for tests. */
final class Engines {
    static final String CLASS_PATH =
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    private Engines() {}

    /** Compiles on a thread of the test. */
    static EndiveEngine make(DiskCache disk) {
        return new EndiveEngine(settings(16, 1_024, 64L << 20), disk, new InProcess(), "test");
    }

    /** Compiles in processes, as the product does where there is no Tier B. */
    static EndiveEngine withProcesses(DiskCache disk, CompileLimits budget) {
        return new EndiveEngine(
                settings(16, 1_024, 64L << 20, budget), disk, processes(budget), "test");
    }

    static ConfinedCompilerStarter processes(CompileLimits budget) {
        return new ConfinedCompilerStarter(new TierBSeam(), Engines::install, budget, 0);
    }

    static ConfinedCompilerStarter.Installed install(String scratch) {
        try {
            Path folder = Files.createTempDirectory(scratch);
            return new ConfinedCompilerStarter.Installed(
                    CLASS_PATH,
                    Arrays.asList(CLASS_PATH.split(":")),
                    folder,
                    () -> Files.deleteIfExists(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static EndiveSettings settings(int calls, int pages, long cacheBytes) {
        return settings(calls, pages, cacheBytes, CompileLimits.DEFAULT);
    }

    private static EndiveSettings settings(
            int calls, int pages, long cacheBytes, CompileLimits budget) {
        return new EndiveSettings(calls, pages, cacheBytes, 0, 4 << 20, budget);
    }
}
