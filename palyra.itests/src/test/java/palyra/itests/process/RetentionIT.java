package palyra.itests.process;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import palyra.itests.Dist;

/** What an operator sees of retention: ages, a plan, a sweep, and tapes that still verify. */
public class RetentionIT {
    @Rule public final TemporaryFolder folder = new TemporaryFolder();

    /** Makes everything older that is kept for a time; no gateway runs. */
    private static void age(Path state, Duration by) throws Exception {
        JournalFile.change(state, connection -> age(connection, by));
    }

    private static void age(Connection connection, Duration by) throws Exception {
        try (Statement statement = connection.createStatement()) {
            for (String column :
                    new String[] {"runs.updated_at", "inbox.created_at", "outbox.updated_at"}) {
                String[] of = column.split("\\.");
                assertTrue(
                        column,
                        statement.executeUpdate(
                                        "UPDATE "
                                                + of[0]
                                                + " SET "
                                                + of[1]
                                                + " = "
                                                + of[1]
                                                + " - "
                                                + by.toMillis())
                                > 0);
            }
        }
    }

    private static String[] row(CommandClient client, String command, String kind)
            throws IOException {
        return client.run("retention", command)
                .ok()
                .out()
                .lines()
                .filter(line -> line.startsWith(kind))
                .findFirst()
                .orElseThrow()
                .split(" {2,}");
    }

    @Test
    public void oldTextGoesAndTheTapeStillVerifies() throws Exception {
        Path state = folder.getRoot().toPath().resolve("state");
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            CommandClient client = gateway.awaitReady().client();
            client.run("ask", "--session", "talk", "the first message").ok();
            assertEquals("0", row(client, "plan", "tokens")[2]);
            gateway.kill();
        }
        age(state, Duration.ofHours(2));
        try (GatewayProcess gateway = GatewayProcess.start(Dist.folder(), state)) {
            CommandClient client = gateway.awaitReady().client();
            assertEquals("1", row(client, "plan", "tokens")[2]);
            assertEquals("1", row(client, "run", "tokens")[1]);
            assertEquals("0", row(client, "run", "tokens")[1]);
            String tape = client.run("tape", "show", "last").ok().out();
            assertTrue(tape, tape.contains("(erased)") && tape.contains("the first message"));
            client.run("tape", "verify").ok();
            client.run("ask", "--session", "talk", "the second message").ok();
            gateway.kill();
        }
        age(state, Duration.ofDays(100));
        try (GatewayProcess gateway =
                GatewayProcess.start(
                        Dist.folder(), state, "--set", "palyra.retention:tapeDays=90")) {
            CommandClient client = gateway.awaitReady().client();
            assertEquals("90 days", row(client, "show", "tapes")[1]);
            assertEquals(64, client.run("retention", "run", "--kind", "nothing").exit());
            client.run("retention", "run", "--kind", "tapes").ok();
            String verdict = client.run("tape", "verify").ok().out();
            assertTrue(verdict, verdict.contains("intact"));
            String tape = client.run("tape", "show", "last").ok().out();
            assertFalse(tape, tape.contains("second"));
            assertTrue(
                    client.run("tape", "show", "journal")
                            .ok()
                            .out()
                            .contains("\"kind\":\"tapes\""));
            client.run("ask", "--session", "talk", "the third message").ok();
        }
    }
}
