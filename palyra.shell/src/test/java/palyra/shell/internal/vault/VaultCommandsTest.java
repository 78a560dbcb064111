package palyra.shell.internal.vault;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.AccessRequest;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.ShellAccess;
import palyra.testing.access.FakeAccess;
import palyra.testing.journal.MemoryJournal;

@Timeout(60)
class VaultCommandsTest {
    private final HostFixture fixture = new HostFixture();
    private final MemoryVault vault = new MemoryVault();

    private final MemoryJournal journal = new MemoryJournal();

    @BeforeEach
    void add() {
        fixture.seams.journal().add(journal, Map.of());
        fixture.seams.vault().add(vault, Map.of());
        fixture.add(new VaultPutCommand(fixture.seams));
        fixture.add(new VaultListCommand(fixture.seams));
        fixture.add(new VaultDeleteCommand(fixture.seams));
        fixture.add(new VaultRevealCommand(fixture.seams));
        fixture.add(new VaultRotateCommand(fixture.seams));
        fixture.add(new VaultStatusCommand(fixture.seams));
    }

    private HostFixture.Run with(String input, boolean terminal, String... argv) throws Exception {
        InputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        HostFixture.Run run = fixture.start(in, terminal, argv);
        run.code();
        return run;
    }

    private static JsonNode json(HostFixture.Run run) throws Exception {
        return new ObjectMapper().readTree(run.outText());
    }

    @Test
    void aValueComesFromStandardInputWithoutItsLineEnd() throws Exception {
        HostFixture.Run run = with("s3cret-value\n", false, "vault", "put", "global/k", "--json");
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        assertEquals(12, json(run).path("bytes").asInt());
        assertEquals("s3cret-value", vault.text("vault:global/k"));
        assertArrayEquals(new byte[12], vault.given);
        with("exact\n", false, "vault", "put", "vault:global/k", "--exact");
        assertEquals("exact\n", vault.text("vault:global/k"));
        assertFalse(run.outText().contains("s3cret") || run.errText().contains("s3cret"));
    }

    @Test
    void aValueAsAnArgumentIsRefusedWithoutRepeatingIt() throws Exception {
        HostFixture.Run run = with("x", false, "vault", "put", "global/k", "s3cret-value");
        assertEquals(ExitCodes.USAGE, run.code());
        assertTrue(run.errText().contains("never an argument"), run.errText());
        assertFalse(run.errText().contains("s3cret"), run.errText());
        assertEquals(List.of(), vault.names());
        for (FakeAccess.Call asked : fixture.access.calls()) {
            assertFalse(asked.toString().contains("s3cret"), asked.toString());
        }
    }

    @Test
    void atATerminalItIsAskedForAndHidden() throws Exception {
        HostFixture.Run run = with("typed value\nnot this\n", true, "vault", "put", "global/k");
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        assertEquals("typed value", vault.text("vault:global/k"));
        assertTrue(run.outText().contains("\u001b[8m"), run.outText());
        assertTrue(run.outText().contains("\u001b[28m"), run.outText());
        assertFalse(run.outText().contains("typed"), run.outText());
    }

    @Test
    void nothingOrTooMuchIsRefused() throws Exception {
        for (String input : List.of("", "\n", "x".repeat(65_537))) {
            HostFixture.Run run = with(input, false, "vault", "put", "global/k");
            assertEquals(ExitCodes.USAGE, run.code(), run.errText());
        }
        assertEquals(List.of(), vault.names());
        assertEquals(
                ExitCodes.OK, with("x".repeat(65_536), false, "vault", "put", "global/k").code());
    }

    @Test
    void eachAsksForTheSecretItself() throws Exception {
        with("value", false, "vault", "put", "principal:user:op/k");
        fixture.run("vault", "reveal", "principal:user:op/k", "--yes-show-it");
        fixture.run("vault", "delete", "principal:user:op/k");
        for (String action : List.of("vault.put", "vault.reveal", "vault.delete")) {
            AccessRequest asked =
                    fixture.access.calls().stream()
                            .map(FakeAccess.Call::request)
                            .filter(each -> each.action().equals(action))
                            .filter(each -> each.resource().startsWith("vault:"))
                            .findFirst()
                            .orElseThrow();
            assertEquals("vault:principal:user:op/k", asked.resource());
            assertEquals("user:op", asked.owner());
        }
        assertTrue(fixture.access.recordedActions().contains("vault.reveal"));
    }

    @Test
    void aValueIsShownOnlyWhereThatWasSaidTwice() throws Exception {
        vault.keep("vault:global/k", "s3cret-value");
        HostFixture.Run plain = fixture.run("vault", "reveal", "global/k");
        assertEquals(ExitCodes.USAGE, plain.code());
        assertTrue(plain.errText().contains("--yes-show-it"), plain.errText());
        HostFixture.Run wrong = with("global/other\n", true, "vault", "reveal", "global/k");
        assertEquals(ExitCodes.CANCELLED, wrong.code());
        assertFalse(wrong.outText().contains("s3cret"));
        assertEquals(0, vault.lent);
        HostFixture.Run typed = with("global/k\n", true, "vault", "reveal", "global/k");
        assertTrue(typed.outText().endsWith("s3cret-value\n"), typed.outText());
        HostFixture.Run said = fixture.run("vault", "reveal", "global/k", "--yes-show-it");
        assertEquals("s3cret-value", said.outText());
        HostFixture.Run asJson =
                fixture.run("vault", "reveal", "global/k", "--yes-show-it", "--json");
        assertEquals("s3cret-value", json(asJson).path("value").asText());
        assertEquals("text", json(asJson).path("encoding").asText());
        fixture.access.deny("vault.reveal");
        HostFixture.Run denied = fixture.run("vault", "reveal", "global/k", "--yes-show-it");
        assertEquals(ExitCodes.DENIED, denied.code());
        assertFalse(denied.outText().contains("s3cret"));
    }

    @Test
    void listsNamesAndNeverValues() throws Exception {
        vault.keep("vault:global/k", "s3cret-value");
        vault.keep("vault:principal:user:eve/own", "s3cret-value");
        HostFixture.Run all = fixture.run("vault", "list");
        assertTrue(all.outText().contains("vault:global/k"), all.outText());
        assertTrue(all.outText().contains("user:eve/own"), all.outText());
        assertFalse(all.outText().contains("s3cret"), all.outText());
        HostFixture.Run one = fixture.run("vault", "list", "--scope", "global", "--json");
        assertEquals(1, json(one).size());
        fixture.access.as(ShellAccess.VIEWER);
        HostFixture.Run own = fixture.run("vault", "list", "--json");
        assertEquals(1, json(own).size(), own.errText());
    }

    @Test
    void deletingWhatIsNotThereSaysSo() throws Exception {
        vault.keep("vault:global/k", "value");
        assertEquals(ExitCodes.OK, fixture.run("vault", "delete", "global/k").code());
        assertEquals(ExitCodes.NOT_FOUND, fixture.run("vault", "delete", "global/k").code());
    }

    @Test
    void rotatingWaitsForItsEndUnlessToldNotTo() throws Exception {
        vault.pending = 5;
        HostFixture.Run quick = fixture.run("vault", "rotate", "--no-wait", "--json");
        assertEquals(5, json(quick).path("pending").asInt());
        HostFixture.Run run = fixture.run("vault", "rotate", "--json");
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        assertEquals(0, json(run).path("pending").asInt());
        assertTrue(fixture.access.calls().toString().contains("vault.rotate"));
    }

    @Test
    void theStatusTellsWhyThereAreNoSecretsToBeHad() throws Exception {
        assertEquals(ExitCodes.OK, fixture.run("vault", "status").code());
        vault.problem = "The wrong master key was found.";
        HostFixture.Run run = fixture.run("vault", "status", "--json");
        assertEquals(ExitCodes.FAILED, run.code());
        assertEquals("The wrong master key was found.", json(run).path("problem").asText());
    }

    @Test
    void noSecretIsUsableWhileItsUseCannotBeRecorded() throws Exception {
        fixture.seams.journal().remove(journal);
        HostFixture.Run run = fixture.run("vault", "status", "--json");
        assertEquals(ExitCodes.FAILED, run.code());
        assertFalse(json(run).path("usable").asBoolean(true));
        assertTrue(json(run).path("problem").asText().contains("The journal is absent"));
    }

    @Test
    void namesAreCompletedByTheirScope() {
        VaultPutCommand put = new VaultPutCommand(fixture.seams);
        assertEquals(List.of("global/"), put.complete(0, "g"));
        assertEquals(4, put.complete(0, "").size());
        assertEquals(List.of(), put.complete(1, ""));
    }
}
