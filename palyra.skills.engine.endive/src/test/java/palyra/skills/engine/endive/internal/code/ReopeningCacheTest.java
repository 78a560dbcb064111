package palyra.skills.engine.endive.internal.code;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start on a full medium costs the cache of compiled code until there is room, no longer. */
class ReopeningCacheTest {
    private static final String DIGEST = "0".repeat(64);

    @TempDir Path folder;

    @Test
    void cacheThatCouldNotBeOpenedIsOpenedOnceItCan() {
        AtomicBoolean full = new AtomicBoolean(true);
        AtomicInteger tries = new AtomicInteger();
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
        ReopeningCache cache =
                new ReopeningCache(
                        () -> {
                            tries.incrementAndGet();
                            if (full.get()) {
                                throw new IOException("No space left on device");
                            }
                            return new SealedFolder(folder.resolve("cache"), "1", 1 << 20);
                        },
                        nanos::get);
        cache.put(DIGEST, new byte[] {1});
        assertTrue(cache.get(DIGEST).isEmpty());
        assertEquals("No space left on device", cache.problem().orElseThrow().getMessage());
        assertEquals(1, tries.get(), "not with each use");
        full.set(false);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
        assertTrue(cache.problem().isEmpty(), "by itself");
        cache.put(DIGEST, new byte[] {1});
        assertArrayEquals(new byte[] {1}, cache.get(DIGEST).orElseThrow());
        assertEquals(2, tries.get());
    }
}
