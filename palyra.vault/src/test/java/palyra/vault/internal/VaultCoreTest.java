package palyra.vault.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;
import palyra.testing.journal.MemoryJournal;

class VaultCoreTest {
    private static final int MANY = Boolean.getBoolean("palyra.test.full") ? 10_000 : 1_000;

    @TempDir Path state;

    private final MemoryJournal journal = new MemoryJournal();
    private VaultFixture house;

    @BeforeEach
    void open() {
        house = new VaultFixture(state, journal);
    }

    @AfterEach
    void close() {
        house.close();
    }

    private void reopen() {
        house.close();
        house = new VaultFixture(state, journal);
    }

    private static ErrorCode code(Runnable call) {
        return assertThrows(PalyraException.class, call::run).code();
    }

    @Test
    void whatIsPutIsThereAfterARestart() {
        house.put("global/a", "first");
        house.put("global/a", "second");
        house.put("principal:user:anna/b", "héllo");
        reopen();
        assertEquals("second", house.get("global/a"));
        assertEquals("héllo", house.get("principal:user:anna/b"));
        assertTrue(house.delete("global/a"));
        assertFalse(house.delete("global/a"));
        reopen();
        assertEquals(ErrorCode.NOT_FOUND, code(() -> house.get("global/a")));
        assertEquals(1, house.core.status().secrets());
    }

    @Test
    void valuesAreOverwrittenAfterUse() {
        byte[] value = VaultFixture.bytes("a long secret value");
        house.put("global/a", value);
        assertArrayEquals(new byte[19], value);
        SecretRef ref = VaultFixture.ref("global/a");
        AtomicReference<byte[]> lent = new AtomicReference<>();
        try (Secret secret =
                house.core.get(VaultFixture.permit("vault.get", ref.resource()), ref)) {
            secret.use(
                    bytes -> {
                        lent.set(bytes);
                        assertEquals(19, bytes.length);
                        assertEquals('a', bytes[0]);
                        return null;
                    });
            assertFalse(secret.toString().contains("long"), secret.toString());
            secret.close();
            assertThrows(IllegalStateException.class, () -> secret.use(bytes -> bytes));
        }
        assertArrayEquals(new byte[19], lent.get());
        byte[] refused = VaultFixture.bytes("refused");
        assertThrows(
                PalyraException.class,
                () ->
                        house.core.put(
                                VaultFixture.authorized("vault.get", ref.resource()),
                                ref,
                                refused,
                                -1));
        assertArrayEquals(new byte[7], refused);
    }

    @Test
    void aPermitOfAnotherActionSecretOrTimeIsDenied() {
        house.put("global/a", "value");
        SecretRef ref = VaultFixture.ref("global/a");
        long old = System.currentTimeMillis() - 61_000;
        List<palyra.api.access.Permit> wrong =
                List.of(
                        VaultFixture.permit("vault.put", ref.resource()),
                        VaultFixture.permit("vault.list", ref.resource()),
                        VaultFixture.permit("vault.get", "vault:global/b"),
                        VaultFixture.permit("vault.get", "command:vault.reveal"),
                        VaultFixture.permit("vault.get", ""),
                        VaultFixture.permit("vault.get", ref.resource(), old));
        for (var permit : wrong) {
            assertEquals(ErrorCode.DENIED, code(() -> house.core.get(permit, ref)));
        }
        assertEquals(
                ErrorCode.DENIED,
                code(
                        () ->
                                house.core.delete(
                                        VaultFixture.authorized("vault.put", ref.resource()),
                                        ref)));
        assertEquals(
                ErrorCode.DENIED,
                code(
                        () ->
                                house.core.rotate(
                                        VaultFixture.authorized(
                                                "vault.rotate", "vault:global/a"))));
        assertEquals(
                ErrorCode.DENIED,
                code(
                        () ->
                                house.core.list(
                                        VaultFixture.permit("vault.list", "vault:"),
                                        "global",
                                        "")));
        assertEquals("value", house.get("global/a"));
    }

    @Test
    void everyUseAndChangeIsInTheJournalBeforeItHappens() {
        house.put("global/a", "the secret value");
        house.get("global/a");
        var put = journal.events(VaultEvents.PUT).get(0);
        var used = journal.events(VaultEvents.USED).get(0);
        assertEquals("vault:global/a", put.path("secret").asText());
        assertEquals(1, put.path("version").asInt());
        assertEquals("user:anna", used.path("principal").asText());
        assertEquals("permit-1", used.path("permitId").asText());
        journal.refuseUnits(ErrorCode.JOURNAL_UNAVAILABLE);
        assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, code(() -> house.get("global/a")));
        assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, code(() -> house.put("global/a", "other")));
        assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, code(() -> house.delete("global/a")));
        assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, code(() -> house.rotate()));
        journal.acceptUnits();
        assertEquals("the secret value", house.get("global/a"));
        house.delete("global/a");
        assertEquals(1, journal.events(VaultEvents.DELETED).size());
        for (String type : List.of(VaultEvents.PUT, VaultEvents.USED, VaultEvents.DELETED)) {
            assertFalse(journal.events(type).toString().contains("the secret value"));
        }
    }

    @Test
    void whoPutsMayNameTheVersionThatHeSaw() {
        SecretRef ref = VaultFixture.ref("global/a");
        var permit = VaultFixture.authorized("vault.put", ref.resource());
        assertEquals(1, house.core.put(permit, ref, VaultFixture.bytes("one"), 0).version());
        assertEquals(
                ErrorCode.CONFLICT,
                code(() -> house.core.put(permit, ref, VaultFixture.bytes("x"), 0)));
        assertEquals(
                ErrorCode.CONFLICT,
                code(() -> house.core.put(permit, ref, VaultFixture.bytes("x"), 2)));
        assertEquals(2, house.core.put(permit, ref, VaultFixture.bytes("two"), 1).version());
        assertEquals("two", house.get("global/a"));
    }

    @Test
    void sizesHaveBounds() {
        byte[] largest = new byte[65_536];
        largest[0] = 'x';
        house.put("global/large", largest);
        assertEquals(65_536, house.get("global/large").length());
        assertEquals(
                ErrorCode.INVALID_ARGUMENT, code(() -> house.put("global/a", new byte[65_537])));
        assertEquals(ErrorCode.INVALID_ARGUMENT, code(() -> house.put("global/a", new byte[0])));
    }

    @Test
    void listsAreByScopeAndGoOn() {
        for (String name :
                List.of("global/b", "global/a", "skill:x/a", "principal:user:a/k", "global/c")) {
            house.put(name, "value of it");
        }
        assertEquals(List.of("a", "b", "c"), keys(list("global", "")));
        assertEquals(List.of("c"), keys(list("global", "b")));
        assertEquals(List.of("k"), keys(list("principal:user:a", "")));
        assertEquals(List.of("a", "b", "c", "k", "a"), keys(list("", "")));
        assertEquals(List.of("c", "k", "a"), keys(list("", "global/b")));
        SecretInfo info = list("global", "").get(0);
        assertEquals(11, info.bytes());
        assertEquals("user:anna", info.updatedBy());
        assertEquals(1_000, info.createdAtMillis());
        assertEquals(1, info.keyVersion());
    }

    private List<SecretInfo> list(String scope, String after) {
        String resource = "vault:" + (scope.isEmpty() ? "" : scope + "/");
        return house.core.list(VaultFixture.permit("vault.list", resource), scope, after);
    }

    private static List<String> keys(List<SecretInfo> infos) {
        return infos.stream().map(info -> info.ref().key()).toList();
    }

    @Test
    void nothingInTheFolderHoldsAValueAndNobodyElseMayReadIt() throws Exception {
        house.put("global/a", "find-me-if-you-can");
        try (Stream<Path> all = Files.walk(state)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                assertFalse(text.contains("find-me"), file.toString());
                String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                assertEquals("rw-------", mode, file.toString());
            }
        }
    }

    @Test
    void aReadReadsOneFileHoweverManySecretsThereAre() {
        house.put("global/first", "value");
        int before = house.files.reads.get();
        house.get("global/first");
        assertEquals(1, house.files.reads.get() - before);
        List<palyra.vault.internal.store.Change> changes = new ArrayList<>();
        house.core.changing(
                vault -> {
                    for (int i = 0; i < MANY; i++) {
                        SecretRef ref = VaultFixture.ref("global/k" + i);
                        SecretInfo info = new SecretInfo(ref, 1, 5, 1, 1, "user:anna", 1);
                        byte[] key = vault.ring().masterKey(1).orElseThrow();
                        byte[] content =
                                vault.envelope().seal(key, info, VaultFixture.bytes("12345"));
                        changes.add(new palyra.vault.internal.store.Change.Put(info, content));
                    }
                    vault.store().write(changes, 1);
                    return null;
                });
        assertEquals(MANY + 1, house.core.status().secrets());
        for (String name : List.of("global/k0", "global/k" + (MANY - 1), "global/k" + MANY / 2)) {
            before = house.files.reads.get();
            assertEquals("12345", house.get(name));
            assertEquals(1, house.files.reads.get() - before);
        }
        assertEquals(1_000, list("global", "").size());
    }

    @Test
    void aSecondProcessIsKeptOut() {
        house.put("global/a", "value");
        try (VaultFixture second = new VaultFixture(state, journal)) {
            PalyraException refused =
                    assertThrows(PalyraException.class, () -> second.get("global/a"));
            assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
            assertTrue(refused.getMessage().contains("another process"), refused.getMessage());
            assertFalse(second.core.status().usable());
        }
        assertEquals("value", house.get("global/a"));
    }
}
