package palyra.testing.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
    @Test
    void returnsAsSoonAsItIsSo() {
        AtomicInteger looks = new AtomicInteger();
        Await.until("three looks", () -> looks.incrementAndGet() == 3);
        assertEquals(3, looks.get());
        assertEquals("x", Await.value("a value", () -> Optional.of("x")));
    }

    @Test
    void failsWithWhatItWaitedFor() {
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () -> Await.until("rain", Duration.ofMillis(20), () -> false));
        assertTrue(error.getMessage().contains("rain"), error.getMessage());
    }

    @Test
    void failsAtOnceWhenInterruptedAndKeepsTheFlag() {
        Thread.currentThread().interrupt();
        assertThrows(AssertionError.class, () -> Await.until("rain", () -> false));
        assertTrue(Thread.interrupted());
    }
}
