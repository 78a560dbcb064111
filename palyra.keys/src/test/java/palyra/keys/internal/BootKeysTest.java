package palyra.keys.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.PublishedKey;
import palyra.shared.json.StrictJson;

class BootKeysTest {
    private static final byte[] MESSAGE = "a message".getBytes(StandardCharsets.UTF_8);

    @TempDir Path state;

    private BootKeys open() {
        return BootKeys.open(state, Optional.empty());
    }

    private static ErrorCode codeOf(Runnable action) {
        return assertThrows(PalyraException.class, action::run).code();
    }

    @Test
    void signsSoThatItsPublishedKeyVerifies() {
        BootKeys keys = open();
        KeySignature signature = keys.sign(KeyPurpose.TAPE_HEAD, MESSAGE);
        assertEquals(64, signature.signature().length);
        assertTrue(keys.verify(KeyPurpose.TAPE_HEAD, MESSAGE, signature));
        assertFalse(keys.verify(KeyPurpose.ATTESTATION, MESSAGE, signature));
        assertFalse(keys.verify(KeyPurpose.TAPE_HEAD, new byte[] {1}, signature));
        byte[] bent = signature.signature().clone();
        bent[5] ^= 1;
        KeySignature tampered = new KeySignature(signature.keyId(), bent);
        assertFalse(keys.verify(KeyPurpose.TAPE_HEAD, MESSAGE, tampered));
        KeySignature foreign = new KeySignature("ed25519:0000000000000000", bent);
        assertFalse(keys.verify(KeyPurpose.TAPE_HEAD, MESSAGE, foreign));
        KeySignature tooShort = new KeySignature(signature.keyId(), new byte[3]);
        assertFalse(keys.verify(KeyPurpose.TAPE_HEAD, MESSAGE, tooShort));
    }

    @Test
    void agreesWithTheFirstTestVectorOfRfc8032() throws Exception {
        byte[] seed = hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
        byte[] publicKey = hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
        byte[] expected =
                hex(
                        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                                + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b");
        PublishedKey published =
                new PublishedKey(
                        Ed25519.keyId(publicKey),
                        KeyPurpose.TAPE_HEAD,
                        Base64.getUrlEncoder().withoutPadding().encodeToString(publicKey),
                        1,
                        0,
                        "",
                        "");
        SigningKey key = SigningKey.of(published, publicKey, seed);
        assertArrayEquals(expected, key.sign(new byte[0]));
        assertTrue(key.verify(new byte[0], expected));
    }

    @Test
    void keepsItsKeysOverARestart() {
        BootKeys first = open();
        KeySignature signature = first.sign(KeyPurpose.ATTESTATION, MESSAGE);
        byte[] mac = first.mac(KeyPurpose.TOKEN_DIGEST, MESSAGE);
        byte[] wrapped = first.wrap(MESSAGE, new byte[0]);
        BootKeys second = open();
        assertTrue(second.verify(KeyPurpose.ATTESTATION, MESSAGE, signature));
        assertArrayEquals(mac, second.mac(KeyPurpose.TOKEN_DIGEST, MESSAGE));
        assertArrayEquals(MESSAGE, second.unwrap(wrapped, new byte[0]));
        assertEquals(first.published(), second.published());
    }

    @Test
    void macIsHmacSha256UnderTheStoredKey() throws Exception {
        BootKeys keys = open();
        Mac independent = Mac.getInstance("HmacSHA256");
        independent.init(new SecretKeySpec(storedSecret("tokenDigestKey"), "HmacSHA256"));
        assertArrayEquals(independent.doFinal(MESSAGE), keys.mac(KeyPurpose.TOKEN_DIGEST, MESSAGE));
    }

    @Test
    void refusesAKeyForAPurposeThatItIsNotFor() {
        BootKeys keys = open();
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                codeOf(() -> keys.sign(KeyPurpose.TOKEN_DIGEST, MESSAGE)));
        assertEquals(
                ErrorCode.INVALID_ARGUMENT, codeOf(() -> keys.mac(KeyPurpose.TAPE_HEAD, MESSAGE)));
        assertEquals(ErrorCode.INVALID_ARGUMENT, codeOf(() -> keys.rotate(KeyPurpose.DATA_KEY)));
    }

    @Test
    void unwrapsOnlyWhatWasWrappedForThatPlace() {
        BootKeys keys = open();
        byte[] dataKey = new byte[32];
        byte[] context = "run/7".getBytes(StandardCharsets.UTF_8);
        byte[] wrapped = keys.wrap(dataKey, context);
        assertArrayEquals(dataKey, keys.unwrap(wrapped, context));
        assertEquals(ErrorCode.CORRUPT, codeOf(() -> keys.unwrap(wrapped, MESSAGE)));
        assertEquals(ErrorCode.CORRUPT, codeOf(() -> keys.unwrap(new byte[12], context)));
        for (int i = 0; i < wrapped.length; i++) {
            byte[] bent = wrapped.clone();
            bent[i] ^= 0x10;
            assertEquals(ErrorCode.CORRUPT, codeOf(() -> keys.unwrap(bent, context)), "byte " + i);
        }
    }

    @Test
    void wrapsTheSameKeyDifferentlyEachTime() {
        BootKeys keys = open();
        String one = HexFormat.of().formatHex(keys.wrap(MESSAGE, new byte[0]));
        String two = HexFormat.of().formatHex(keys.wrap(MESSAGE, new byte[0]));
        assertNotEquals(one, two);
    }

    @Test
    void signsRightFromManyThreadsWhileItsKeyIsRotated() throws Exception {
        BootKeys keys = open();
        List<Callable<Integer>> work = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            byte[] message = ("thread " + t).getBytes(StandardCharsets.UTF_8);
            work.add(
                    () -> {
                        int good = 0;
                        for (int i = 0; i < 50; i++) {
                            KeySignature signature = keys.sign(KeyPurpose.TAPE_HEAD, message);
                            good += keys.verify(KeyPurpose.TAPE_HEAD, message, signature) ? 1 : 0;
                        }
                        return good;
                    });
        }
        work.add(
                () -> {
                    for (int i = 0; i < 5; i++) {
                        keys.rotate(KeyPurpose.TAPE_HEAD);
                    }
                    return 50;
                });
        try (var threads = Executors.newFixedThreadPool(work.size())) {
            for (Future<Integer> done : threads.invokeAll(work, 60, TimeUnit.SECONDS)) {
                assertEquals(50, done.get());
            }
        }
        assertEquals(7, keys.published().size());
    }

    @Test
    void saysNothingSecretAboutItself() throws Exception {
        BootKeys keys = open();
        keys.rotate(KeyPurpose.TAPE_HEAD);
        KeyRing ring = KeyRingCodec.parse(Files.readAllBytes(keyFile())).orElseThrow();
        List<String> spoken =
                List.of(
                        keys.toString(),
                        ring.toString(),
                        ring.signingKeys().toString(),
                        keys.published().toString(),
                        Files.readString(state.resolve("keys/published.json")));
        List<String> secrets = secrets();
        assertEquals(4, secrets.size());
        for (String secret : secrets) {
            assertTrue(Files.readString(keyFile()).contains(secret));
            spoken.forEach(text -> assertFalse(text.contains(secret)));
        }
    }

    private Path keyFile() {
        return state.resolve("keys/boot-keys.json");
    }

    private List<String> secrets() throws Exception {
        var root = StrictJson.parse(Files.readAllBytes(keyFile()), "keys");
        List<String> secrets = new ArrayList<>();
        root.path("signing")
                .forEach(
                        key -> {
                            if (key.has("seed")) {
                                secrets.add(key.path("seed").asText());
                            }
                        });
        secrets.add(root.path("tokenDigestKey").asText());
        secrets.add(root.path("dataKey").asText());
        return secrets;
    }

    private byte[] storedSecret(String name) throws Exception {
        return Base64.getUrlDecoder()
                .decode(
                        StrictJson.parse(Files.readAllBytes(keyFile()), "keys")
                                .path(name)
                                .asText());
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }
}
