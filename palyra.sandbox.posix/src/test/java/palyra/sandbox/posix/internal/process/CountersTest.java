package palyra.sandbox.posix.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CountersTest {
    @Test
    void whatEndedAMomentLaterIsLeftOverNoMore() {
        Counters counters = new Counters();
        AtomicBoolean first = new AtomicBoolean();
        AtomicBoolean second = new AtomicBoolean();
        counters.unconfirmed(first::get);
        counters.unconfirmed(second::get);
        assertEquals(2, counters.leftovers());
        first.set(true);
        assertEquals(1, counters.leftovers());
        second.set(true);
        assertEquals(0, counters.leftovers());
    }
}
