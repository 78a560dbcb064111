package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Unit;
import palyra.shared.json.StrictJson;
import palyra.testing.wait.Await;

class AuthorizerTest {
    @TempDir Path state;
    private Stage stage;

    @BeforeEach
    void open() {
        stage = Stage.open(state);
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private static ErrorCode codeOf(Runnable action) {
        return assertThrows(PalyraException.class, action::run).code();
    }

    private List<JsonNode> decisions(String action) {
        return stage.events(DecisionRecord.ACCESS_DECISION).stream()
                .map(text -> StrictJson.parse(text, "event"))
                .filter(event -> event.path("action").asText().equals(action))
                .toList();
    }

    private AccessRequest asked(Principal who, String action) {
        return AccessRequest.of(who, action, "thing:1");
    }

    private Path emergencyFile() {
        return state.resolve("break-glass.log");
    }

    @Test
    void thePermissionForAnEffectElsewhereIsDurableFirst() {
        Permit permit = stage.access.authorizeAndRecord(asked(stage.owner(), "bundle.stop"));
        assertEquals(DecisionSource.BUILT_IN_RULES, permit.source());
        JsonNode record = decisions("bundle.stop").get(0);
        assertEquals(permit.permitId(), record.path("permitId").asText());
        assertEquals("user:palyra", record.path("principal").asText());
        assertEquals("local-peer:4242", record.path("credentialId").asText());
        assertEquals("thing:1", record.path("resource").asText());
        assertEquals("allow", record.path("decision").asText());
        assertEquals("BUILT_IN_RULES", record.path("source").asText());
        assertEquals("builtin.operator_all", record.path("ruleId").asText());
        assertTrue(record.path("facts").isObject());
    }

    @Test
    void thePermissionForAChangeIsLeftToTheChange() {
        Authorized authorized = stage.access.authorize(asked(stage.owner(), "agent.create"));
        assertEquals(List.of(), decisions("agent.create"));
        stage.journal().commit(Unit.of(authorized.record()));
        assertEquals(
                authorized.permit().permitId(),
                decisions("agent.create").get(0).path("permitId").asText());
    }

    @Test
    void readingIsRecordedOnlyWhenItIsDenied() {
        stage.access.authorizeRead(asked(stage.owner(), "config.read"));
        assertEquals(List.of(), decisions("config.read"));
        Principal viewer = People.person("v", "viewer");
        PalyraException denied =
                assertThrows(
                        PalyraException.class,
                        () -> stage.access.authorizeRead(asked(viewer, "config.read")));
        assertEquals(ErrorCode.DENIED, denied.code());
        assertTrue(denied.getMessage().contains("builtin.default_deny"), denied.getMessage());
        assertEquals("deny", decisions("config.read").get(0).path("decision").asText());
    }

    @Test
    void aScopeLimitsWhateverTheGroupAllows() {
        Principal op = People.scoped(People.person("o", "operator"), "run.*");
        stage.access.authorizeRead(asked(op, "run.read"));
        PalyraException denied =
                assertThrows(
                        PalyraException.class,
                        () -> stage.access.authorizeRead(asked(op, "config.read")));
        assertTrue(denied.getMessage().contains("builtin.scope"), denied.getMessage());
    }

    @Test
    void aFloodOfDenialsIsCountedAndCannotFillTheDisk() {
        Principal nobody = People.person("n");
        int asked = 2_000;
        for (int i = 0; i < asked; i++) {
            assertEquals(
                    ErrorCode.DENIED,
                    codeOf(() -> stage.access.authorizeRead(asked(nobody, "run.list"))));
        }
        Await.until(
                "all denials to be accounted for",
                Duration.ofSeconds(20),
                () -> decisions("run.list").size() + counted("run.list") == asked);
        assertTrue(decisions("run.list").size() >= 20, "those within the rate have their own");
        assertTrue(decisions("run.list").size() < asked / 2, "most are only counted");
    }

    @Test
    void aSlowFloodOverHoursIsBoundedToo() {
        Principal viewer = People.person("v");
        int asked = 300;
        for (int i = 0; i < asked; i++) {
            stage.ahead.addAndGet(10_000);
            codeOf(() -> stage.access.authorizeRead(asked(viewer, "agent.delete")));
        }
        assertEquals(DenialQuota.MOST_ALIKE, decisions("agent.delete").size());
        codeOf(() -> stage.access.authorizeRead(asked(People.person("w"), "agent.delete")));
        assertEquals(DenialQuota.MOST_ALIKE + 1, decisions("agent.delete").size());
        stage.ahead.addAndGet(DenialQuota.WINDOW_MILLIS);
        codeOf(() -> stage.access.authorizeRead(asked(viewer, "agent.delete")));
        assertEquals(DenialQuota.MOST_ALIKE + 2, decisions("agent.delete").size());
        stage.access.close();
        assertEquals(asked - DenialQuota.MOST_ALIKE, counted("agent.delete"));
        assertTrue(stage.events(DenialLog.SUMMARY).getLast().contains(viewer.id()));
    }

    private long counted(String action) {
        return stage.events(DenialLog.SUMMARY).stream()
                .map(text -> StrictJson.parse(text, "summary"))
                .mapToLong(summary -> summary.path("byAction").path(action).asLong())
                .sum();
    }

    @Test
    void denialsWhileTheJournalIsAwayAreCountedLater() {
        Principal nobody = People.person("n");
        stage.journalGoes();
        assertEquals(
                ErrorCode.DENIED,
                codeOf(() -> stage.access.authorizeRead(asked(nobody, "tape.read"))));
        stage.journalComes();
        Await.until("the summary", () -> counted("tape.read") == 1);
    }

    @Test
    void closingWritesWhatWasOnlyCounted() {
        stage.journalGoes();
        assertEquals(
                ErrorCode.DENIED,
                codeOf(() -> stage.access.authorizeRead(asked(People.person("n"), "run.read"))));
        stage.journalComes();
        stage.access.close();
        assertEquals(1, counted("run.read"));
    }

    @Test
    void whatACallerChoseDoesNotSwellTheRecord() {
        Principal nobody = People.person("n");
        AccessRequest huge =
                new AccessRequest(
                        nobody,
                        "run.read",
                        "x".repeat(1_000_000),
                        "",
                        Map.of("fact", "y".repeat(1_000_000)));
        assertEquals(ErrorCode.DENIED, codeOf(() -> stage.access.authorizeRead(huge)));
        assertTrue(decisions("run.read").get(0).toString().length() < 4_000);
    }

    @Test
    void deadRulesDenyEverybodyEverything() {
        Principal token = stage.come(stage.token(stage.owner(), "user:op", "operator").secret());
        for (KillableRules.Death death : KillableRules.Death.values()) {
            if (death == KillableRules.Death.LOCKED_OUT) {
                continue;
            }
            stage.rules.kill(death);
            for (String action : List.of("run.start", "system.status", "policy.reload")) {
                assertEquals(
                        ErrorCode.POLICY_UNAVAILABLE,
                        codeOf(() -> stage.access.authorizeRead(asked(token, action))));
                assertEquals(
                        ErrorCode.POLICY_UNAVAILABLE,
                        codeOf(() -> stage.access.authorize(asked(token, action))));
                assertEquals(
                        ErrorCode.POLICY_UNAVAILABLE,
                        codeOf(() -> stage.access.authorizeAndRecord(asked(token, action))));
            }
            stage.rules.revive();
            stage.access.authorizeRead(asked(token, "system.status"));
        }
    }

    @Test
    void theGatewaysOwnPeerBreaksTheGlassForTheFixedListOnly() {
        Principal owner = stage.owner();
        stage.rules.kill(KillableRules.Death.EXCEPTION);
        Set<String> open = new TreeSet<>();
        for (String action : Actions.named()) {
            try {
                Permit permit = stage.access.authorizeAndRecord(asked(owner, action));
                assertEquals(DecisionSource.BREAK_GLASS, permit.source());
                open.add(action);
            } catch (PalyraException e) {
                assertEquals(ErrorCode.POLICY_UNAVAILABLE, e.code());
            }
        }
        assertEquals(new TreeSet<>(stage.access.breakGlassActions()), open);
        assertEquals(
                new TreeSet<>(
                        Set.of(
                                "bundle.start",
                                "bundle.swap",
                                "bundle.update",
                                "policy.read",
                                "policy.reload",
                                "policy.rollback",
                                "policy.validate",
                                "system.doctor",
                                "system.logs",
                                "system.status",
                                "system.stop",
                                "tape.verify")),
                open);
        assertEquals(open.size(), stage.events(DecisionRecord.BREAK_GLASS).size());
        assertFalse(Files.exists(emergencyFile()));
        assertEquals(
                DecisionSource.BREAK_GLASS,
                stage.access.authorizeRead(asked(owner, "system.logs")).source());
        // A change of the journal itself is no emergency.
        assertEquals(
                ErrorCode.POLICY_UNAVAILABLE,
                codeOf(() -> stage.access.authorize(asked(owner, "system.status"))));
    }

    @Test
    void policiesThatLockOutTheirOwnersAreRepairedAfterAStartForThat() throws Exception {
        Principal owner = stage.owner();
        stage.rules.kill(KillableRules.Death.LOCKED_OUT);
        assertEquals(
                ErrorCode.DENIED,
                codeOf(() -> stage.access.authorizeAndRecord(asked(owner, "policy.reload"))));
        try (Stage repair = Stage.openForRepair(Files.createDirectory(state.resolve("repair")))) {
            Principal own = repair.owner();
            Principal other = repair.come(repair.token(own, "user:op", "operator").secret());
            repair.rules.kill(KillableRules.Death.LOCKED_OUT);
            for (String action : List.of("policy.reload", "policy.validate", "policy.rollback")) {
                Permit permit = repair.access.authorizeAndRecord(asked(own, action));
                assertEquals(DecisionSource.BREAK_GLASS, permit.source());
            }
            assertEquals(3, repair.events(DecisionRecord.BREAK_GLASS).size());
            assertEquals(
                    ErrorCode.DENIED,
                    codeOf(() -> repair.access.authorizeAndRecord(asked(own, "agent.create"))));
            assertEquals(
                    ErrorCode.DENIED,
                    codeOf(() -> repair.access.authorizeAndRecord(asked(other, "policy.reload"))));
        }
    }

    @Test
    void nobodyElseLooksLikeTheGatewaysOwnPeer() {
        stage.rules.revive();
        Principal owner = stage.owner();
        Principal sameName = stage.come(stage.token(owner, "user:palyra", "operator").secret());
        assertEquals(owner.id(), sameName.id());
        stage.rules.kill(KillableRules.Death.NO_DECISION);
        for (Principal other :
                List.of(
                        sameName,
                        new Principal(
                                owner.id(),
                                PrincipalKind.SERVICE,
                                owner.groups(),
                                Set.of(),
                                owner.credentialId()),
                        new Principal(
                                owner.id(),
                                PrincipalKind.USER,
                                Set.of("viewer"),
                                Set.of(),
                                owner.credentialId()),
                        new Principal(
                                owner.id(),
                                PrincipalKind.USER,
                                owner.groups(),
                                Set.of(),
                                "mapped-peer:4242"))) {
            assertEquals(
                    ErrorCode.POLICY_UNAVAILABLE,
                    codeOf(() -> stage.access.authorizeRead(asked(other, "system.status"))));
        }
        assertEquals(
                DecisionSource.BREAK_GLASS,
                stage.access.authorizeRead(asked(owner, "system.status")).source());
    }

    @Test
    void withoutAJournalTheEmergencyListWorksAndStandsInASyncedFile() throws Exception {
        Principal owner = stage.owner();
        stage.journalGoes();
        long before = System.nanoTime();
        Permit stop = stage.access.authorizeAndRecord(asked(owner, "system.stop"));
        long tookMillis = (System.nanoTime() - before) / 1_000_000;
        assertTrue(tookMillis < 3_500, "took " + tookMillis + " ms");
        assertEquals(DecisionSource.BREAK_GLASS, stop.source());
        stage.rules.kill(KillableRules.Death.NOTHING);
        Permit status = stage.access.authorizeRead(asked(owner, "system.status"));
        List<JsonNode> lines = emergencies();
        assertEquals(2, lines.size());
        assertEquals(stop.permitId(), lines.get(0).path("permitId").asText());
        assertEquals("system.stop", lines.get(0).path("action").asText());
        assertEquals("local-peer:4242", lines.get(0).path("credentialId").asText());
        assertTrue(lines.get(0).path("timeMillis").asLong() > 0);
        assertEquals(status.permitId(), lines.get(1).path("permitId").asText());
        stage.journalComes();
    }

    @Test
    void withoutAJournalNothingElseThatNeedsARecordHappens() {
        Principal owner = stage.owner();
        stage.journalGoes();
        assertEquals(
                ErrorCode.JOURNAL_UNAVAILABLE,
                codeOf(() -> stage.access.authorizeAndRecord(asked(owner, "config.reload"))));
        Principal token = People.person("op", "operator");
        assertEquals(
                ErrorCode.JOURNAL_UNAVAILABLE,
                codeOf(() -> stage.access.authorizeAndRecord(asked(token, "system.stop"))));
        assertFalse(Files.exists(emergencyFile()));
        stage.journalComes();
    }

    @Test
    void withoutJournalAndFileEvenAnEmergencyIsRefused() throws Exception {
        Principal owner = stage.owner();
        stage.journalGoes();
        Files.createDirectory(emergencyFile());
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> stage.access.authorizeAndRecord(asked(owner, "system.stop")));
        assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, refused.code());
        Files.delete(emergencyFile());
        stage.access.authorizeAndRecord(asked(owner, "system.stop"));
        stage.journalComes();
    }

    private static AccessRequest command(Principal who, String action, String verb) {
        return AccessRequest.of(who, action, "command:" + verb);
    }

    /** No rules, a full journal, and a file that cannot be written. */
    private Principal nothingTakesARecord() throws Exception {
        Principal owner = stage.owner();
        stage.rules.kill(KillableRules.Death.NO_DECISION);
        stage.journalIsFull(true);
        Files.createDirectory(emergencyFile());
        return owner;
    }

    @Test
    void refusesEveryOtherEmergencyVerbWhenItsRecordCannotBeWritten() throws Exception {
        Principal owner = nothingTakesARecord();
        for (String action : stage.access.breakGlassActions()) {
            for (String verb : List.of("vault.status", "status", "doctor", "stop")) {
                if ((action + verb).matches("system.(status|doctor)\\1")) {
                    continue;
                }
                AccessRequest request = command(owner, action, verb);
                assertEquals(
                        ErrorCode.JOURNAL_UNAVAILABLE,
                        codeOf(() -> stage.access.authorizeRead(request)),
                        action + " as " + verb);
                assertEquals(
                        ErrorCode.JOURNAL_UNAVAILABLE,
                        codeOf(() -> stage.access.authorizeAndRecord(request)),
                        action + " as " + verb);
            }
        }
        assertEquals(List.of(), stage.access.findings());
        Files.delete(emergencyFile());
        stage.journalIsFull(false);
        assertEquals(0, stage.events(DecisionRecord.BREAK_GLASS).size());
    }

    @Test
    void answersStatusAndDoctorWhileNoMediumTakesTheirRecordAndWritesItLater() throws Exception {
        Principal owner = nothingTakesARecord();
        Permit status = stage.access.authorizeRead(command(owner, "system.status", "status"));
        Permit doctor = stage.access.authorizeRead(command(owner, "system.doctor", "doctor"));
        assertEquals(DecisionSource.BREAK_GLASS, doctor.source());
        String sentence = stage.access.recordWaits(status).orElseThrow();
        assertTrue(sentence.contains("waits in memory"), sentence);
        String finding = stage.access.findings().get(0).message();
        assertTrue(finding.contains("2 of at most 64"), finding);
        long answered = stage.now();
        stage.ahead.addAndGet(3_600_000);
        stage.journalIsFull(false);
        Await.until(
                "the records to be written",
                () -> stage.events(DecisionRecord.BREAK_GLASS).size() == 2);
        JsonNode record =
                StrictJson.parse(stage.events(DecisionRecord.BREAK_GLASS).get(0), "event");
        assertEquals(status.permitId(), record.path("permitId").asText());
        assertTrue(record.path("timeMillis").asLong() <= answered, record::toString);
        Await.until("none to wait", () -> stage.access.recordWaits(doctor).isEmpty());
        assertEquals(List.of(), stage.access.findings());
    }

    @Test
    void writesARecordThatWaitsIntoTheFileOnceThatTakesIt() throws Exception {
        Principal owner = nothingTakesARecord();
        Permit status = stage.access.authorizeRead(command(owner, "system.status", "status"));
        Files.delete(emergencyFile());
        Await.until("the record to be written", () -> stage.access.recordWaits(status).isEmpty());
        assertEquals(status.permitId(), emergencies().get(0).path("permitId").asText());
        assertEquals(1, emergencies().size());
        stage.journalIsFull(false);
    }

    @Test
    void refusesStatusWhenTooManyRecordsWait() throws Exception {
        Principal owner = nothingTakesARecord();
        AccessRequest status = command(owner, "system.status", "status");
        for (int i = 0; i < PendingRecords.MOST; i++) {
            stage.access.authorizeRead(status);
        }
        assertEquals(
                ErrorCode.JOURNAL_UNAVAILABLE, codeOf(() -> stage.access.authorizeRead(status)));
        Files.delete(emergencyFile());
        stage.journalIsFull(false);
    }

    @Test
    void boundsTheBytesOfRecordsThatWait() {
        PendingRecords waiting = new PendingRecords();
        AccessRequest request = AccessRequest.of(stage.owner(), "system.status", "command:status");
        byte[] half = new byte[PendingRecords.MOST_BYTES / 2];
        for (int i = 0; i < 3; i++) {
            DecisionRecord record =
                    new DecisionRecord(
                            "permit-" + i,
                            request,
                            "allow",
                            DecisionSource.BREAK_GLASS,
                            "rule",
                            "",
                            "none",
                            java.util.Optional.empty());
            assertEquals(i < 2, waiting.add(new PendingRecords.Use(record, half, "full")));
        }
        waiting.write(use -> use.permitId().equals("permit-0"));
        assertEquals("permit-1", waiting.oldest().orElseThrow().permitId());
        assertEquals(1, waiting.size());
    }

    private List<JsonNode> emergencies() throws Exception {
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(emergencyFile())));
        return Files.readAllLines(emergencyFile()).stream()
                .map(line -> StrictJson.parse(line, "line"))
                .toList();
    }
}
