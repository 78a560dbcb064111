package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.LoopView;
import palyra.testing.wait.Await;

class BootstrapTest {
    @TempDir Path state;

    private Path file() {
        return state.resolve(Bootstrap.FILE);
    }

    private static void awaitBootstrap(Stage stage) {
        Await.until(
                "the bootstrap marker",
                () -> stage.journal().document(Bootstrap.COLLECTION, Bootstrap.KEY).isPresent());
    }

    private String token() throws Exception {
        return Files.readString(file()).strip();
    }

    @Test
    void theFirstStartLeavesAnOperatorsTokenInAPrivateFile() throws Exception {
        try (Stage stage = Stage.open(state)) {
            awaitBootstrap(stage);
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(file())));
            Principal operator = stage.come(token());
            assertEquals("user:operator", operator.id());
            assertEquals(Set.of("operator"), operator.groups());
            assertEquals(1, stage.events(Bootstrap.COLLECTION).size());
        }
    }

    @Test
    void theSecretStandsNowhereButInTheFile() throws Exception {
        try (Stage stage = Stage.open(state)) {
            awaitBootstrap(stage);
            String secret = token().substring(34);
            assertEquals(43, secret.length());
            Document stored = stage.journal().documents(StoredToken.COLLECTION, "", 10).get(0);
            assertFalse(text(stored.content()).contains(secret));
            assertFalse(stage.events(Bootstrap.COLLECTION).get(0).contains(secret));
        }
        try (var files = Files.walk(state)) {
            for (Path one : files.filter(Files::isRegularFile).toList()) {
                boolean holds =
                        new String(Files.readAllBytes(one), StandardCharsets.ISO_8859_1)
                                .contains(token().substring(34));
                assertEquals(one.equals(file()), holds, one.toString());
            }
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void laterStartsMakeNoOther() throws Exception {
        try (Stage stage = Stage.open(state)) {
            awaitBootstrap(stage);
        }
        Files.delete(file());
        try (Stage stage = Stage.open(state)) {
            Principal owner = stage.owner();
            stage.access.close(); // its thread has done what it wanted to do
            assertFalse(Files.exists(file()));
            assertEquals(
                    1,
                    stage.access
                            .tokens(
                                    stage.access.authorizeRead(
                                            AccessRequest.of(owner, "access.token.list", "")))
                            .size());
        }
    }

    @Test
    void aCrashBetweenFileAndJournalHeals() throws Exception {
        String dead =
                TokenText.make("01ARZ3NDEKTSV4RRFFQ69G5FAV", new java.security.SecureRandom());
        Files.writeString(file(), dead + "\n");
        Files.writeString(state.resolve(".bootstrap-token.0b0d.tmp"), "palyra_01AR");
        try (Stage stage = Stage.open(state)) {
            awaitBootstrap(stage);
            assertEquals("user:operator", stage.come(token()).id());
            assertThrows(PalyraException.class, () -> stage.come(dead));
            assertFalse(Files.exists(state.resolve(".bootstrap-token.0b0d.tmp")));
        }
    }

    @Test
    void waitsForJournalAndKeysWithoutHoldingUpTheStart() throws Exception {
        try (Stage stage = new Stage(state)) {
            assertEquals("user:palyra", stage.owner().id());
            stage.journalComes();
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () -> stage.come("palyra_" + "0".repeat(26) + "_" + "A".repeat(43)));
            assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
            assertFalse(Files.exists(file()));
            stage.keysGate.add(stage.keyStore, Map.of());
            awaitBootstrap(stage);
            assertEquals("user:operator", stage.come(token()).id());
        }
    }

    @Test
    void isTriedAgainAfterAnErrorWhichIsSeenInTheLoop() throws Exception {
        AtomicBoolean failed = new AtomicBoolean();
        try (Stage stage = new Stage(state)) {
            stage.keysGate.add(stage.keyStore, Map.of());
            stage.journalComes(
                    (commit, unit) -> {
                        if (failed.compareAndSet(false, true)) {
                            throw new NoClassDefFoundError("gone");
                        }
                        return commit.apply(unit);
                    });
            awaitBootstrap(stage);
            LoopView loop = stage.access.loops().get(0);
            assertEquals(1, loop.restarts());
            assertEquals("NoClassDefFoundError: gone", loop.lastFailure());
        }
    }

    @Test
    void isTriedAgainUntilTheJournalTakesIt() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        try (Stage stage = new Stage(state)) {
            stage.keysGate.add(stage.keyStore, Map.of());
            stage.journalComes(
                    (commit, unit) -> {
                        if (refused.incrementAndGet() <= 2) {
                            throw new PalyraException(ErrorCode.DISK_FULL, "no space");
                        }
                        return commit.apply(unit);
                    });
            awaitBootstrap(stage);
            assertEquals(3, refused.get());
            assertTrue(stage.come(token()).in("operator"));
        }
    }

    @Test
    void anAnswerThatWasLostLeavesTheFileAndTheJournalInAgreement() throws Exception {
        AtomicInteger commits = new AtomicInteger();
        try (Stage stage = new Stage(state)) {
            stage.keysGate.add(stage.keyStore, Map.of());
            stage.journalComes(
                    (commit, unit) -> {
                        Committed committed = commit.apply(unit);
                        if (commits.incrementAndGet() == 1) {
                            throw new PalyraException(ErrorCode.TIMED_OUT, "no answer in time");
                        }
                        return committed;
                    });
            awaitBootstrap(stage);
            assertTrue(stage.come(token()).in("operator"));
            assertEquals(1, stage.journal().documents(StoredToken.COLLECTION, "", 10).size());
        }
    }

    @Test
    void aCommitThatLandsLateStillFitsTheFile() throws Exception {
        AtomicReference<Unit> late = new AtomicReference<>();
        try (Stage stage = new Stage(state)) {
            stage.keysGate.add(stage.keyStore, Map.of());
            stage.journalComes(
                    (commit, unit) -> {
                        if (late.get() == null) {
                            late.set(unit);
                            throw new PalyraException(ErrorCode.TIMED_OUT, "no answer in time");
                        }
                        assertFalse(commit.apply(late.get()).replayed());
                        return commit.apply(unit);
                    });
            awaitBootstrap(stage);
            Principal owner = stage.owner();
            stage.access.close(); // the second attempt is over
            assertEquals(owner.groups(), stage.come(token()).groups());
            assertEquals(1, stage.journal().documents(StoredToken.COLLECTION, "", 10).size());
        }
    }

    @Test
    void aFileThatCannotBeWrittenStopsNothingAndNothingIsCommitted() throws Exception {
        Files.createDirectory(file());
        Files.createFile(file().resolve("in-the-way"));
        try (Stage stage = Stage.open(state)) {
            Principal owner = stage.owner();
            stage.access.close(); // the attempt is over
            assertTrue(stage.journal().document(Bootstrap.COLLECTION, Bootstrap.KEY).isEmpty());
            assertEquals(
                    "user:x", stage.come(stage.token(owner, "user:x", "viewer").secret()).id());
        }
    }
}
