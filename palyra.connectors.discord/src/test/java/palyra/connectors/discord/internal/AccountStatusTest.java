package palyra.connectors.discord.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import palyra.api.channel.ConnectorStatus.State;
import palyra.testing.journal.ManualClock;

class AccountStatusTest {
    private final ManualClock clock = new ManualClock(1_700_000_000_000L);
    private final AccountStatus status = new AccountStatus(clock);

    /** What one part of the account takes in says nothing of what another cannot. */
    @Test
    void troubleIsToldUntilThePartThatHadItTakesItBack() {
        status.begin(2);
        status.set(0, State.READY, "", 0);
        status.set(1, State.READY, "", 0);
        status.trouble("shard 0", "The disk is full.");
        status.trouble("shard 1", "");
        assertEquals(State.DEGRADED, status.now().state());
        status.trouble("backfill", "A room cannot be looked up.");
        status.trouble("shard 1", "The disk is full.");
        status.behind("A channel cannot be fetched.");
        status.foreign();
        for (String words :
                new String[] {"The disk", "A room", "A channel cannot", "two answers"}) {
            assertEquals(2, status.now().reason().split(words, -1).length, status.now().reason());
        }
        status.trouble("shard 0", "");
        assertTrue(status.now().reason().contains("The disk is full."), status.now().reason());
        status.trouble("shard 1", "");
        status.behind("");
        assertTrue(status.now().reason().startsWith("A room"), status.now().reason());
    }

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
