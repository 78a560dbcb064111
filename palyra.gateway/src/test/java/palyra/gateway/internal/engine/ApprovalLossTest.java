package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;

/** Lost rows of approval requests and of the runs that wait for them. */
class ApprovalLossTest extends ApprovalFixture {
    /** The row of a question can be lost by damage: nobody can answer it, so it is a no. */
    @Test
    void aRunWhoseQuestionIsLostEndsWithoutItsEffect() throws Exception {
        String runId = asking();
        people.waiting(runId);
        gateway.close();
        around.close();
        onDisk("DELETE FROM approvals");
        around = new LightGateway.Surroundings(state, "boot2", tool, reads, confined);
        gateway = gateway("boot2/1").offering(ASKS, READS, ASKS_TOO);
        assertEquals(RunState.SUCCEEDED, gateway.ended(runId).state());
        assertEquals(0, tool.calls().size());
        assertEquals(Outcome.DENIED, output(runId).outcome());
        TapeEvent.ApprovalDecision no =
                gateway.records(runId, TapeEvent.ApprovalDecision.class).getLast();
        assertFalse(no.granted());
        assertEquals("The journal lost the approval request, so the call is denied.", no.reason());
        around.assertVerified();
    }

    /** Its session would wait for ever behind a run that is not there. */
    @Test
    void aSessionGoesOnWhenTheRowOfItsWaitingRunIsLost() throws Exception {
        model.propose(ASKS, "{\"n\":1}").answer("done");
        String runId = gateway.submit("do it").runId();
        people.waiting(runId);
        onDisk("DELETE FROM runs");
        assertEquals(RunState.SUCCEEDED, gateway.ended(gateway.submit("and this").runId()).state());
        assertTrue(around.journal().loss(runId).isPresent());
        assertTrue(
                around.journal().losses("").stream().anyMatch(one -> one.runId().equals(runId)),
                "what a read met is told at once");
    }

    private void onDisk(String text) throws SQLException {
        try (Connection disk =
                        DriverManager.getConnection(
                                "jdbc:sqlite:" + state.resolve("journal/journal.db"));
                Statement statement = disk.createStatement()) {
            assertEquals(1, statement.executeUpdate(text));
        }
    }
}
