package palyra.transport.openai.internal.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
    private final AtomicLong clock = new AtomicLong(100);
    private final Deliveries deliveries = new Deliveries(clock::get);

    @Test
    void knowsWhatWasWrittenSinceItsStart() {
        deliveries.add("a");
        assertEquals(Optional.of(true), deliveries.of("a", 100));
        assertEquals(Optional.of(false), deliveries.of("b", 101));
        assertEquals(Optional.empty(), deliveries.of("b", 100));
    }

    @Test
    void whatMakesRoomIsUnknownRatherThanUnwritten() {
        for (int i = 0; i <= Deliveries.MOST; i++) {
            clock.incrementAndGet();
            deliveries.add("run" + i);
        }
        assertEquals(Optional.empty(), deliveries.of("run0", 101));
        assertEquals(Optional.of(true), deliveries.of("run1", 102));
        assertEquals(Optional.of(false), deliveries.of("other", 102));
    }
}
