package palyra.journal.internal.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import palyra.journal.internal.JournalSettings.Checks;

/** How long the scrub rests after a step: whichever bound asks for more. */
class ScrubRestTest {
    private static final long MILLI = 1_000_000;

    private static Checks bounds(long bytes, int percent) {
        return new Checks(bytes, percent, 0, 0, 1, 0);
    }

    @Test
    void bytesAndTimeAreBounded() {
        assertEquals(990 * MILLI, Scrub.rest(1_000_000, 10 * MILLI, bounds(1_000_000, 50)));
        assertEquals(190 * MILLI, Scrub.rest(10, 10 * MILLI, bounds(1 << 30, 5)));
        assertEquals(0, Scrub.rest(0, 10 * MILLI, bounds(1_000, 100)));
    }
}
