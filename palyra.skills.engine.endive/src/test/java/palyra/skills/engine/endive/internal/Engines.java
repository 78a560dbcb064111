package palyra.skills.engine.endive.internal;

import palyra.skills.engine.endive.internal.code.DiskCache;

/** Makes engines for tests. */
final class Engines {
    private Engines() {}

    static EndiveEngine make(DiskCache disk) {
        return new EndiveEngine(settings(16, 1_024, 64L << 20), disk, "test");
    }

    static EndiveSettings settings(int calls, int pages, long cacheBytes) {
        return new EndiveSettings(calls, pages, cacheBytes, 0, 4 << 20);
    }
}
