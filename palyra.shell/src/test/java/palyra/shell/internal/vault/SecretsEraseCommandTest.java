package palyra.shell.internal.vault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.access.Principal;
import palyra.api.command.ExitCodes;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.shared.sealed.RunErasure;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.Partial;
import palyra.testing.access.FakeAccess;

@Timeout(60)
class SecretsEraseCommandTest {
    private static final String RUN = "01J00000000000000000000001";

    private final HostFixture fixture = new HostFixture();
    private final Stored stored = new Stored();

    /** One run of user:else, and its key. */
    public static final class Stored {
        private final List<Unit> units = new ArrayList<>();
        private byte[] key = "{\"wrapped\":\"AAAA\"}".getBytes(StandardCharsets.UTF_8);

        public Optional<RunView> run(Principal principal, String runId) {
            return Optional.of(
                    new RunView(
                            runId,
                            RUN,
                            "user:else",
                            "default",
                            "shell",
                            RunState.SUCCEEDED,
                            "",
                            0,
                            0,
                            5));
        }

        public Optional<Document> document(String collection, String id) {
            assertEquals("run_keys", collection);
            return Optional.ofNullable(key).map(bytes -> new Document(collection, id, 3, bytes, 0));
        }

        public Committed commit(Unit unit) {
            units.add(unit);
            for (Operation operation : unit.operations()) {
                if (operation instanceof Operation.PutDocument put) {
                    key = put.content();
                }
            }
            return new Committed(false, null, List.of());
        }
    }

    @BeforeEach
    void add() {
        fixture.seams.journal().add(Partial.of(Journal.class, stored), Map.of());
        fixture.seams.runs().add(Partial.of(Runs.class, stored), Map.of());
        fixture.add(new SecretsEraseCommand(fixture.seams));
    }

    @Test
    void putsANoteInTheKeysPlaceWithItsPermissionAndARecord() throws Exception {
        HostFixture.Run run = fixture.run("secrets", "erase", RUN, "--for-good");
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        Unit unit = stored.units.get(0);
        assertEquals(
                List.of(new Precondition.DocumentAt("run_keys", RUN, 3)), unit.preconditions());
        assertTrue(RunErasure.isErased(new Document("run_keys", RUN, 4, stored.key, 0)));
        assertFalse(new String(stored.key, StandardCharsets.UTF_8).contains("wrapped"));
        List<String> records =
                unit.operations().stream()
                        .filter(Operation.Append.class::isInstance)
                        .map(Operation.Append.class::cast)
                        .map(Operation.Append::type)
                        .toList();
        assertEquals(List.of("access_decision", "run_secrets_erased"), records);
        FakeAccess.Call asked = fixture.access.calls().getLast();
        assertEquals("run.erase", asked.request().action());
        assertEquals("run:" + RUN, asked.request().resource());
        assertEquals("user:else", asked.request().owner());
    }

    @Test
    void erasingTwiceChangesNothing() throws Exception {
        fixture.run("secrets", "erase", RUN, "--for-good");
        HostFixture.Run again = fixture.run("secrets", "erase", RUN, "--for-good");
        assertEquals(ExitCodes.OK, again.code(), again.errText());
        assertEquals(1, stored.units.size());
    }

    @Test
    void withoutTheFlagNothingIsErased() throws Exception {
        HostFixture.Run run = fixture.run("secrets", "erase", RUN);
        assertEquals(ExitCodes.USAGE, run.code());
        assertTrue(run.errText().contains("--for-good"), run.errText());
        assertEquals(List.of(), stored.units);
    }

    @Test
    void whoMayNotDoesNot() throws Exception {
        fixture.access.deny("run.erase");
        HostFixture.Run run = fixture.run("secrets", "erase", RUN, "--for-good");
        assertEquals(ExitCodes.DENIED, run.code(), run.errText());
        assertEquals(List.of(), stored.units);
    }

    @Test
    void aRunThatKeepsNothingSealedHasNothingToErase() throws Exception {
        stored.key = null;
        HostFixture.Run run = fixture.run("secrets", "erase", RUN, "--for-good");
        assertEquals(ExitCodes.NOT_FOUND, run.code(), run.errText());
        assertTrue(run.errText().contains("nothing sealed"), run.errText());
    }
}
