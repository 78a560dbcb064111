package palyra.keys.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.PublishedKey;

class KeyRotationTest {
    private static final byte[] MESSAGE = {1, 2, 3};

    @TempDir Path state;

    private BootKeys open() {
        return BootKeys.open(state, Optional.empty());
    }

    private Path keyFile() {
        return state.resolve("keys/boot-keys.json");
    }

    @Test
    void theOldKeySignsForTheNewOneAndStaysPublished() throws Exception {
        BootKeys keys = open();
        KeySignature before = keys.sign(KeyPurpose.TAPE_HEAD, MESSAGE);
        for (int i = 0; i < 3; i++) {
            PublishedKey retired = keys.rotate(KeyPurpose.TAPE_HEAD);
            assertFalse(retired.current());
        }
        KeySignature after = keys.sign(KeyPurpose.TAPE_HEAD, MESSAGE);
        assertNotEquals(before.keyId(), after.keyId());
        assertTrue(keys.verify(KeyPurpose.TAPE_HEAD, MESSAGE, before));
        assertTrue(keys.verify(KeyPurpose.TAPE_HEAD, MESSAGE, after));

        List<PublishedKey> chain = heads(open());
        assertEquals(4, chain.size());
        for (int i = 0; i + 1 < chain.size(); i++) {
            assertTrue(verifies(chain.get(i), chain.get(i + 1)), "step " + i);
            assertFalse(verifies(chain.get(i), chain.get(i)), "another successor " + i);
        }
        assertTrue(chain.getLast().current());
        assertEquals(chain.getLast().keyId(), after.keyId());
        assertEquals(
                1,
                open().published().stream()
                        .filter(key -> key.purpose() == KeyPurpose.ATTESTATION)
                        .count());
    }

    private static List<PublishedKey> heads(BootKeys keys) {
        return keys.published().stream()
                .filter(key -> key.purpose() == KeyPurpose.TAPE_HEAD)
                .toList();
    }

    /** Follows the api's words, not the code under test. */
    private static boolean verifies(PublishedKey old, PublishedKey next) throws Exception {
        ByteArrayOutputStream statement = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(statement);
        out.write("palyra.key.rotation.v1".getBytes(StandardCharsets.US_ASCII));
        lp(out, old.keyId().getBytes(StandardCharsets.UTF_8));
        lp(out, next.keyId().getBytes(StandardCharsets.UTF_8));
        lp(out, Base64.getUrlDecoder().decode(next.publicKey()));
        out.writeLong(old.retiredAtMillis());
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(publicKey(old));
        verifier.update(statement.toByteArray());
        return old.successorKeyId().equals(next.keyId())
                && verifier.verify(Base64.getUrlDecoder().decode(old.rotationSignature()));
    }

    private static void lp(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeLong(bytes.length);
        out.write(bytes);
    }

    private static PublicKey publicKey(PublishedKey key) throws Exception {
        byte[] der = new byte[44];
        HexFormat format = HexFormat.of();
        System.arraycopy(format.parseHex("302a300506032b6570032100"), 0, der, 0, 12);
        System.arraycopy(Base64.getUrlDecoder().decode(key.publicKey()), 0, der, 12, 32);
        return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der));
    }

    @Test
    void theOldPrivateKeyIsForgotten() throws Exception {
        BootKeys keys = open();
        String before = Files.readString(keyFile());
        keys.rotate(KeyPurpose.ATTESTATION);
        String after = Files.readString(keyFile());
        List<String> seedsBefore = seeds(before);
        List<String> seedsAfter = seeds(after);
        assertEquals(2, seedsAfter.size());
        seedsAfter.retainAll(seedsBefore);
        assertEquals(1, seedsAfter.size(), "only the key of the other purpose stays");
    }

    private static List<String> seeds(String json) {
        return new java.util.ArrayList<>(
                java.util.regex.Pattern.compile("\"seed\":\"([^\"]+)\"")
                        .matcher(json)
                        .results()
                        .map(found -> found.group(1))
                        .toList());
    }

    @Test
    void aRotationThatCannotBeWrittenLeavesTheOldKeyInUse() throws Exception {
        BootKeys keys = open();
        KeySignature before = keys.sign(KeyPurpose.TAPE_HEAD, MESSAGE);
        Path moved = state.resolve("moved");
        Files.move(state.resolve("keys"), moved);
        PalyraException refused =
                assertThrows(PalyraException.class, () -> keys.rotate(KeyPurpose.TAPE_HEAD));
        assertEquals(ErrorCode.READ_ONLY, refused.code());
        assertEquals(before.keyId(), keys.sign(KeyPurpose.TAPE_HEAD, MESSAGE).keyId());
        Files.move(moved, state.resolve("keys"));
        assertEquals(before.keyId(), open().sign(KeyPurpose.TAPE_HEAD, MESSAGE).keyId());
        assertFalse(keys.rotate(KeyPurpose.TAPE_HEAD).current());
    }

    @Test
    void anOlderCopyOfTheKeyFileIsRefused() throws Exception {
        BootKeys keys = open();
        Path copy = state.resolve("copy.json");
        Files.copy(keyFile(), copy, StandardCopyOption.COPY_ATTRIBUTES);
        keys.rotate(KeyPurpose.TAPE_HEAD);
        open();
        Files.move(copy, keyFile(), StandardCopyOption.REPLACE_EXISTING);
        PalyraException refused = assertThrows(PalyraException.class, this::open);
        assertEquals(ErrorCode.CORRUPT, refused.code());
        assertTrue(refused.getMessage().contains("older than"), refused.getMessage());
    }

    @Test
    void aCrashBetweenKeyFileAndPublishedKeysHealsAtTheNextStart() throws Exception {
        BootKeys keys = open();
        Path published = state.resolve("keys/published.json");
        byte[] before = Files.readAllBytes(published);
        keys.rotate(KeyPurpose.TAPE_HEAD);
        byte[] after = Files.readAllBytes(published);
        Files.write(published, before);
        open();
        assertArrayEquals(after, Files.readAllBytes(published));
    }
}
