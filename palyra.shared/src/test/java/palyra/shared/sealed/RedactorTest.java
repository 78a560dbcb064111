package palyra.shared.sealed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.vault.KnownSecrets;
import palyra.api.core.vault.SecretRef;
import palyra.shared.json.StrictJson;
import palyra.shared.secrets.KnownValues;
import palyra.shared.secrets.SecretNumbers;

class RedactorTest {
    private static final String TOKEN = "glpat-" + "x7Kq9ZmT2vLw4RbN8sYd";
    private static final String KEY =
            "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n"
                    + "-----END PRIVATE KEY-----\n";

    private final Redactor redactor = new Redactor(KnownValues.NONE);

    private String json(String json) {
        return redactor.json(json, SecretNumbers.fresh());
    }

    @Test
    void leavesJsonWithoutSecretsAsItIsByteByByte() {
        String json = "{ \"b\" : 1.50, \"a\":[ true,null ],\"t\":\"a token\" }";
        assertSame(json, json(json));
        assertSame("", json(""));
    }

    @Test
    void keepsJsonJsonWhateverTheSecretHolds() {
        String json =
                "{\"private_key\":" + quoted(KEY) + ",\"list\":[\"x " + TOKEN + "\"],\"n\":7}";
        String seen = json(json);
        assertEquals(
                "{\"private_key\":\"⟦secret:private-key:1⟧\\n\","
                        + "\"list\":[\"x ⟦secret:gitlab-pat:2⟧\"],\"n\":7}",
                seen);
        StrictJson.parse(seen, "what is seen");
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\n", "\\n") + "\"";
    }

    @Test
    void looksAtTheNameOfAMember() {
        String secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCY" + "q8Zr2LmT4v";
        assertEquals(
                "{\"aws_secret_access_key\":\"⟦secret:aws-secret-key:1⟧\"}",
                json("{\"aws_secret_access_key\":\"" + secret + "\"}"));
        assertEquals("{\"digest\":\"" + secret + "\"}", json("{\"digest\":\"" + secret + "\"}"));
    }

    @Test
    void looksAtNamesAndEscapesAndNestedText() {
        assertEquals("{\"⟦secret:gitlab-pat:1⟧\":\"v\"}", json("{\"" + TOKEN + "\":\"v\"}"));
        assertEquals(
                "[\"⟦secret:gitlab-pat:1⟧\"]", json("[\"\\u0067" + TOKEN.substring(1) + "\"]"));
        assertEquals("no json ⟦secret:gitlab-pat:1⟧ {", json("no json " + TOKEN + " {"));
    }

    @Test
    void switchesShapesOffAndOnAgain() {
        assertEquals(
                Set.of("no-such-shape"),
                redactor.switchOff(List.of("gitlab-pat", "no-such-shape")));
        assertEquals(TOKEN, redactor.text(TOKEN, SecretNumbers.fresh()));
        assertEquals(Set.of(), redactor.switchOff(List.of()));
        assertEquals("⟦secret:gitlab-pat:1⟧", redactor.text(TOKEN, SecretNumbers.fresh()));
    }

    @Test
    void findsShapesWithoutAVaultAndRefusesWhenOneIsGone() {
        VaultValues vault = new VaultValues(50);
        Redactor withVault = new Redactor(vault);
        assertEquals("⟦secret:gitlab-pat:1⟧", withVault.text(TOKEN, SecretNumbers.fresh()));
        KnownSecrets knows = knowing("open sesame");
        vault.add(knows, Map.of());
        assertEquals(
                "say ⟦secret:vault:1⟧", withVault.text("say open sesame", SecretNumbers.fresh()));
        vault.remove(knows);
        PalyraException refused =
                assertThrows(
                        PalyraException.class,
                        () -> withVault.text("say open sesame", SecretNumbers.fresh()));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
        assertFalse(refused.getMessage().contains("sesame"), refused.getMessage());
    }

    private static KnownSecrets knowing(String value) {
        return new KnownSecrets() {
            @Override
            public List<Found> find(CharSequence text) {
                int at = text.toString().indexOf(value);
                SecretRef ref = SecretRef.parse("vault:global/word");
                return at < 0 ? List.of() : List.of(new Found(at, at + value.length(), ref));
            }

            @Override
            public int safeLength(CharSequence text) {
                return text.length();
            }
        };
    }
}
