package palyra.testing.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;

/** The connector makes its connection again, loses nothing by it, and says how it is doing. */
interface ConnectionRules extends ConnectorRules {
    /** Who it is and what the platform can do never changes. */
    @Test
    default void identityIsConstant() {
        String id = stage().connector().id().toString();
        ConnectorCapabilities capabilities = stage().connector().capabilities();
        stage().startReady();
        stage().nextLife();
        assertEquals(id, stage().connector().id().toString());
        assertEquals(capabilities, stage().connector().capabilities());
    }

    /** It is STOPPED, then READY, then STOPPED. */
    @Test
    default void statusFollowsTheLife() {
        assertEquals(State.STOPPED, stage().status().state());
        stage().startReady();
        stage().stop();
        assertEquals(State.STOPPED, stage().status().state());
    }

    /** A platform that is away at the start is waited for, and it says so. */
    @Test
    default void waitsForAPlatformThatIsAway() {
        stage().fixture().breakConnection();
        stage().start();
        awaitTrouble();
        stage().fixture().mendConnection();
        stage().awaitState(State.READY);
        stage().meet(ANNA);
    }

    private void awaitTrouble() {
        stage().until(
                        "a status that is not READY and says why; it is "
                                + stage().connector().status(),
                        () -> {
                            ConnectorStatus status = stage().status();
                            return status.state() != State.READY && !status.reason().isEmpty();
                        });
        assertNotEquals(State.STOPPED, stage().status().state(), "it was not stopped");
    }

    /** A broken connection is told and made again; what was written meanwhile comes, in order. */
    @Test
    default void reconnects() {
        stage().startReady();
        Conversation anna = stage().meet(ANNA);
        List<String> expected = new ArrayList<>(List.of("hello from anna"));
        for (int round = 0; round < 5; round++) {
            stage().fixture().breakConnection();
            awaitTrouble();
            for (int i = 0; i < 3; i++) {
                stage().fixture().write(ANNA, "text " + round + " " + i);
                expected.add("text " + round + " " + i);
            }
            stage().fixture().mendConnection();
            stage().awaitState(State.READY);
            stage().awaitStored(expected.size());
            assertEquals(expected, stage().taken(anna));
            stage().deliver(anna, "answer " + round);
        }
        assertEquals(5, stage().fixture().posted(anna).size());
    }

    /** Without its secrets it says so. */
    @Test
    default void saysThatItLacksASecret() {
        assumeFalse(stage().fixture().secrets().isEmpty(), "the connector has no secret");
        stage().context().takeSecretsAway(true);
        stage().start();
        awaitTrouble();
        assertFalse(stage().status().state() == State.DEGRADED, "it cannot be connected");
    }
}
