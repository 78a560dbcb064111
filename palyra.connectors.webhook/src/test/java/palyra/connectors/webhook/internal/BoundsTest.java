package palyra.connectors.webhook.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BoundsTest {
    private static Answer answer(int bytes) {
        return new Answer(202, "stored", new byte[bytes], Map.of());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void theCacheKeepsItsBytesAndDropsTheOldest() {
        ReplayCache cache = new ReplayCache(10_000, 1_000);
        for (int i = 0; i < 1_000; i++) {
            cache.keep("k" + i, answer(i % 200), 0);
            assertTrue(cache.bytes() <= 10_000, "bytes " + cache.bytes());
        }
        assertTrue(cache.size() > 10 && cache.size() < 20, "entries " + cache.size());
        assertTrue(cache.find("k0", 1).isEmpty());
        assertTrue(cache.find("k999", 1).isPresent());
    }

    @Test
    void theSameEntryCountsOnce() {
        ReplayCache cache = new ReplayCache(10_000, 1_000);
        cache.keep("k", answer(100), 0);
        long once = cache.bytes();
        cache.keep("k", answer(100), 5);
        assertEquals(once, cache.bytes());
        assertEquals(1, cache.size());
    }

    @Test
    void anEntryIsGoodForItsTime() {
        ReplayCache cache = new ReplayCache(10_000, 1_000);
        cache.keep("k", answer(1), 50);
        assertTrue(cache.find("k", 1_049).isPresent());
        assertTrue(cache.find("k", 1_050).isEmpty());
    }

    @Test
    void aRequestIsItsIdAndItsBody() {
        String one = ReplayCache.key("a", bytes("bc"));
        assertEquals(one, ReplayCache.key("a", bytes("bc")));
        assertNotEquals(one, ReplayCache.key("ab", bytes("c")));
        assertNotEquals(one, ReplayCache.key("a", bytes("bd")));
    }

    @Test
    void theRateIsRefilledWithTime() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
        RateLimit rate = new RateLimit(3, nanos::get);
        for (int i = 0; i < 3; i++) {
            assertEquals(0, rate.take());
        }
        assertEquals(20, rate.take());
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(15));
        assertEquals(5, rate.take());
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(5));
        assertEquals(0, rate.take());
        assertEquals(20, rate.take());
        nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
        for (int i = 0; i < 3; i++) {
            assertEquals(0, rate.take(), "an hour gives no more than a minute");
        }
        assertEquals(20, rate.take());
    }
}
