package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import palyra.api.channel.ConnectorStatus.State;
import palyra.testing.journal.ManualClock;

class AccountStatusTest {
    private final ManualClock clock = new ManualClock(1_700_000_000_000L);
    private final AccountStatus status = new AccountStatus(clock);

    @Test
    void anotherGatewayIsShownAsLongAsItAnswers() {
        status.begin(1);
        status.set(0, State.READY, "", 0);
        status.foreign();
        assertEquals(State.DEGRADED, status.now().state());
        clock.advance(9 * 60_000);
        status.foreign();
        clock.advance(9 * 60_000);
        assertTrue(status.now().reason().contains("two answers"), status.now().reason());
        clock.advance(60_000);
        assertEquals(State.READY, status.now().state());
        assertEquals("", status.now().reason());
    }
}
