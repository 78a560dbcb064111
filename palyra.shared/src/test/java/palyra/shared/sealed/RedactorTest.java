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
import palyra.api.core.vault.SecretReach;
import palyra.api.core.vault.SecretRef;
import palyra.shared.json.StrictJson;
import palyra.shared.secrets.PlaceholderNumbers;

class RedactorTest {
    private static final String TOKEN = "glpat-" + "x7Kq9ZmT2vLw4RbN8sYd";
    private static final String KEY =
            "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n"
                    + "-----END PRIVATE KEY-----\n";

    private final Redactor redactor = Redactor.withoutVault();

    private static String text(Redactor redactor, String text) {
        return redactor.within(SecretReach.of("global")).text(text, PlaceholderNumbers.fresh());
    }

    private String json(String json) {
        return redactor.within(SecretReach.NONE).json(json, PlaceholderNumbers.fresh());
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
        assertEquals(TOKEN, text(redactor, TOKEN));
        assertEquals(Set.of(), redactor.switchOff(List.of()));
        assertEquals("⟦secret:gitlab-pat:1⟧", text(redactor, TOKEN));
    }

    @Test
    void findsShapesWithoutAVaultAndRefusesWhenOneIsGone() {
        VaultValues vault = new VaultValues(50);
        Redactor withVault = new Redactor(vault);
        assertEquals("⟦secret:gitlab-pat:1⟧", text(withVault, TOKEN));
        KnownSecrets knows = knowing("open sesame");
        vault.add(knows, Map.of());
        assertEquals("say ⟦secret:vault:1⟧", text(withVault, "say open sesame"));
        vault.remove(knows);
        PalyraException refused =
                assertThrows(PalyraException.class, () -> text(withVault, "say open sesame"));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
        assertFalse(refused.getMessage().contains("sesame"), refused.getMessage());
    }

    /** As when the vault's key is lost: it never opens. */
    @Test
    void refusesBeforeTheFirstVaultCameWhenOneIsRequired() {
        VaultValues vault = new VaultValues(50);
        vault.require();
        PalyraException refused =
                assertThrows(PalyraException.class, () -> text(new Redactor(vault), "say it"));
        assertEquals(ErrorCode.KEYS_UNAVAILABLE, refused.code());
    }

    @Test
    void looksForNoValueBeyondTheReach() {
        VaultValues vault = new VaultValues(50);
        vault.add(knowing("open sesame"), Map.of());
        Redactor redactor = new Redactor(vault);
        PlaceholderNumbers numbers = PlaceholderNumbers.fresh();
        String said = "say open sesame";
        SecretReach alice = SecretReaches.of("user:alice", Set.of("integrator"), "main", "chat");
        assertEquals(said, redactor.within(alice).text(said, numbers));
        assertEquals(
                "[\"open sesame\"]", redactor.within(alice).json("[\"open sesame\"]", numbers));
        SecretReach operator = SecretReaches.of("user:alice", Set.of("operator"), "main", "chat");
        assertEquals("say ⟦secret:vault:1⟧", redactor.within(operator).text(said, numbers));
        SecretReach lent = alice.with(List.of(SecretRef.parse("vault:global/word")));
        assertEquals("say ⟦secret:vault:1⟧", redactor.within(lent).text(said, numbers));
    }

    @Test
    void aRunReachesItsOwnScopesAndNoOthers() {
        assertEquals(
                Set.of("principal:user:alice"),
                SecretReaches.of("user:alice", Set.of("integrator"), "main", "chat:1").scopes());
        assertEquals(
                Set.of("principal:user:op", "global", "agent:main", "channel:chat:1"),
                SecretReaches.of("user:op", Set.of("operator"), "main", "chat:1").scopes());
        assertEquals(
                Set.of("principal:user:op", "global"),
                SecretReaches.of("user:op", Set.of("operator"), "", "").scopes());
    }

    @Test
    void aQuestionNotesWhatItHidesByScopeAndByNameForOperatorsAlone() {
        VaultValues vault = new VaultValues(50);
        vault.add(knowing("open sesame"), Map.of());
        ApprovalRequestRedaction question =
                new ApprovalRequestRedaction(
                        new Redactor(vault).within(SecretReach.of("global")),
                        PlaceholderNumbers.fresh());
        assertEquals(Set.of(), question.notes(true));
        assertEquals("plain", question.text("plain"));
        assertEquals(Set.of(), question.notes(true));
        assertEquals(
                "[\"⟦secret:vault:1⟧ ⟦secret:gitlab-pat:2⟧\"]",
                question.json("[\"open sesame " + TOKEN + "\"]"));
        assertEquals(
                Set.of(
                        "the secret global/word of the vault",
                        "text with the form of a secret (gitlab-pat)"),
                question.notes(true));
        assertEquals(
                Set.of(
                        "a secret that the vault keeps in the scope global",
                        "text with the form of a secret (gitlab-pat)"),
                question.notes(false));
    }

    private static KnownSecrets knowing(String value) {
        return new KnownSecrets() {
            @Override
            public List<Found> find(CharSequence text, SecretReach reach) {
                int at = text.toString().indexOf(value);
                SecretRef ref = SecretRef.parse("vault:global/word");
                return at < 0 || !reach.covers(ref)
                        ? List.of()
                        : List.of(new Found(at, at + value.length(), ref));
            }

            @Override
            public int safeLength(CharSequence text, SecretReach reach) {
                return text.length();
            }
        };
    }
}
