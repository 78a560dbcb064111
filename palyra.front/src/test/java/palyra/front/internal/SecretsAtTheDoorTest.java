package palyra.front.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.core.keys.Keys;
import palyra.api.core.vault.KnownSecrets;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.sealed.VaultValues;
import palyra.shared.tape.TapeCodec;
import palyra.testing.vault.FakeKnownSecrets;

/** What comes in with secrets is kept without them. */
class SecretsAtTheDoorTest {
    private static final Principal ALICE = People.person("alice", "integrator");
    private static final String TOKEN = "glpat-" + "x7Kq9ZmT2vLw4RbN8sYd";
    private static final String SHOWN = "⟦secret:gitlab-pat:1⟧";

    @TempDir Path state;
    private final Gate<Intake> intake = new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final VaultValues vault = new VaultValues(50);
    private Stage stage;
    private RunFront front;

    @BeforeEach
    void open() {
        stage = Stage.open(state);
        front = front(stage.keysGate);
    }

    private RunFront front(Gate<Keys> keys) {
        return new RunFront(
                stage.access,
                stage.journalGate,
                stage.feedGate,
                intake,
                keys,
                vault,
                new FrontSettings(5, 3),
                5_000);
    }

    @AfterEach
    void close() {
        front.close();
        stage.close();
    }

    private static SubmittedMessage message(String dedupeKey, String text) {
        return new SubmittedMessage("shell", dedupeKey, "", "", "", "", "", text, "", false);
    }

    private void assertNowhere(String literal) throws IOException {
        try (Stream<Path> files = Files.walk(state)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertFalse(content(file).contains(literal), file + " holds a secret");
            }
        }
    }

    private static String content(Path file) throws IOException {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return ""; // it was a draft of another file, which is looked at too
        }
    }

    @Test
    void theInboxKeepsNoSecret() throws IOException {
        Submission sent = front.submit(ALICE, message("k", "the token " + TOKEN));
        InboxRow row = stage.journal().inbox(sent.messageId()).orElseThrow();
        assertEquals("the token " + SHOWN, SubmissionCodec.message(row.payload()).text());
        Submission again = front.submit(ALICE, message("k", "the token " + TOKEN));
        assertTrue(again.duplicate(), "the same message is the same");
        assertNowhere(TOKEN);
    }

    @Test
    void storesThePersonWhoseCredentialBroughtTheMessage() {
        Principal spokenFor =
                new Principal(
                        ALICE.id(),
                        ALICE.kind(),
                        ALICE.groups(),
                        ALICE.scopes(),
                        "token:bridge",
                        "service:bridge");
        assertEquals("service:bridge", person(front.submit(spokenFor, message("a", "hi"))));
        assertEquals("", person(front.submit(ALICE, message("b", "hi"))));
    }

    private String person(Submission sent) {
        return SubmissionCodec.person(
                stage.journal().inbox(sent.messageId()).orElseThrow().payload());
    }

    @Test
    void theGatewayGetsTheMessageAndARowWithoutTheSecret() {
        List<String> texts = new ArrayList<>();
        intake.add(
                new FakeIntake() {
                    @Override
                    public Submission accept(
                            InboxRow row, SubmittedMessage message, List<Operation> records) {
                        texts.add(message.text());
                        texts.add(SubmissionCodec.message(row.payload()).text());
                        return new Submission(row.messageId(), "", "", false);
                    }
                },
                Map.of());
        front.submit(ALICE, message("", TOKEN));
        assertEquals(List.of(TOKEN, SHOWN), texts);
    }

    @Test
    void anEventKeepsItsSecretSealed() throws IOException {
        TestRun run = new TestRun(stage::journal, ALICE.id());
        String id = new Ulids().next();
        front.appendEvent(ALICE, run.runId, id, "note", "{\"use\":\"" + TOKEN + "\"}");
        TapeRecord record = stage.journal().tape(run.runId, 0, 100).getLast();
        TapeEvent.ExternalEvent event = (TapeEvent.ExternalEvent) TapeCodec.event(record);
        assertEquals("{\"use\":\"" + SHOWN + "\"}", event.contentJson());
        assertTrue(TapeCodec.sealed(record).isPresent());
        assertTrue(stage.journal().document("run_keys", run.runId).isPresent());
        front.appendEvent(
                ALICE, run.runId, new Ulids().next(), "note", "[\"again " + TOKEN + "\"]");
        TapeRecord second = stage.journal().tape(run.runId, 0, 100).getLast();
        assertEquals(
                "[\"again " + SHOWN + "\"]",
                ((TapeEvent.ExternalEvent) TapeCodec.event(second)).contentJson(),
                "the same secret has the same number");
        assertTrue(TapeCodec.sealed(second).isEmpty(), "it is kept once");
        assertNowhere(TOKEN);
    }

    @Test
    void anEventWithASecretIsRefusedWhileThereAreNoKeys() throws IOException {
        TestRun run = new TestRun(stage::journal, ALICE.id());
        try (RunFront keyless = front(new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, 0))) {
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    keyless.appendEvent(
                                            ALICE, run.runId, "", "note", "\"" + TOKEN + "\""));
            assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
            keyless.appendEvent(ALICE, run.runId, "", "note", "\"nothing\"");
        }
        assertNowhere(TOKEN);
    }

    @Test
    void answersTheSameToACandidateWhetherOrNotItIsAnotherPrincipalsSecret() {
        vault.add(
                new FakeKnownSecrets()
                        .knowing("vault:principal:user:bob/token", "q7Xv-bob-0Zt4Kp9")
                        .knowing("vault:global/token", "m3Rw-global-8Yb2Ls6")
                        .knowing("vault:principal:user:alice/token", "c5Nd-alice-1Hf7Gj2"),
                Map.of());
        String candidates = "q7Xv-bob-0Zt4Kp9 m3Rw-global-8Yb2Ls6";
        assertEquals(candidates, stored(ALICE, candidates));
        assertEquals("mine ⟦secret:vault:1⟧", stored(ALICE, "mine c5Nd-alice-1Hf7Gj2"));
        Principal operator = People.person("op", "operator");
        assertEquals("q7Xv-bob-0Zt4Kp9 ⟦secret:vault:1⟧", stored(operator, candidates));
        TestRun run = new TestRun(stage::journal, ALICE.id());
        front.appendEvent(ALICE, run.runId, "", "note", "\"" + candidates + "\"");
        TapeRecord event = stage.journal().tape(run.runId, 0, 100).getLast();
        assertEquals(
                "\"" + candidates + "\"",
                ((TapeEvent.ExternalEvent) TapeCodec.event(event)).contentJson());
    }

    private String stored(Principal who, String text) {
        Submission sent = front.submit(who, message("", text));
        return SubmissionCodec.message(
                        stage.journal().inbox(sent.messageId()).orElseThrow().payload())
                .text();
    }

    @Test
    void nothingIsTakenWhileAVaultThatWasThereIsAway() {
        KnownSecrets knows =
                new FakeKnownSecrets().knowing("vault:principal:user:alice/word", "sesame!!");
        vault.add(knows, Map.of());
        Submission sent = front.submit(ALICE, message("", "open sesame!!"));
        InboxRow row = stage.journal().inbox(sent.messageId()).orElseThrow();
        assertEquals("open ⟦secret:vault:1⟧", SubmissionCodec.message(row.payload()).text());
        vault.remove(knows);
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> front.submit(ALICE, message("", "open sesame!!")));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
    }
}
