package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.IssuedToken;
import palyra.api.core.access.TokenView;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;

class TokensTest {
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

    private String refusal(String token) {
        PalyraException refused =
                assertThrows(PalyraException.class, () -> stage.come(token), token);
        assertEquals(ErrorCode.UNAUTHENTICATED, refused.code());
        return refused.getMessage();
    }

    private static ErrorCode codeOf(Runnable action) {
        return assertThrows(PalyraException.class, action::run).code();
    }

    private TokenView revoke(String tokenId) {
        return stage.access.revokeToken(
                stage.access.authorize(
                        AccessRequest.of(stage.owner(), "access.token.revoke", tokenId)),
                tokenId);
    }

    @Test
    void aTokenSpeaksForItsPrincipalWithItsGroupsAndScopes() {
        IssuedToken issued =
                stage.token(stage.owner(), "service:ci", "integrator", "run.*", "tape.read");
        Principal ci = stage.come(issued.secret());
        assertEquals("service:ci", ci.id());
        assertEquals(PrincipalKind.SERVICE, ci.kind());
        assertEquals(Set.of("integrator"), ci.groups());
        assertEquals(Set.of("run.*", "tape.read"), ci.scopes());
        assertEquals("token:" + issued.token().tokenId(), ci.credentialId());
        assertFalse(issued.toString().contains(issued.secret()));
    }

    @Test
    void refusesATokenForOperatorAndLocalFiles() {
        for (String name : List.of("operator", "local-files", "system:gateway")) {
            PalyraException refusal =
                    assertThrows(
                            PalyraException.class,
                            () -> stage.token(stage.owner(), name, "integrator"));
            assertEquals(ErrorCode.INVALID_ARGUMENT, refusal.code(), name);
            assertTrue(
                    refusal.getMessage().contains("the gateway records its own work"),
                    refusal.getMessage());
        }
    }

    @Test
    void guessingTeachesNothing() {
        IssuedToken good = stage.token(stage.owner(), "user:a", "viewer");
        IssuedToken revoked = stage.token(stage.owner(), "user:b", "viewer");
        IssuedToken expired = stage.token(stage.owner(), "user:c", "viewer", 1_000);
        revoke(revoked.token().tokenId());
        stage.ahead.set(1_001);
        String secret = good.secret();
        Set<String> sentences = new HashSet<>();
        for (int i = 0; i < secret.length(); i++) {
            char other = secret.charAt(i) == 'A' ? 'B' : 'A';
            sentences.add(refusal(secret.substring(0, i) + other + secret.substring(i + 1)));
        }
        List<String> wrong =
                new ArrayList<>(
                        List.of(
                                revoked.secret(),
                                expired.secret(),
                                "x",
                                "palyra_",
                                secret + "A",
                                secret.substring(0, secret.length() - 1),
                                secret + "\n",
                                " " + secret,
                                secret.toLowerCase(java.util.Locale.ROOT),
                                good.token().tokenId(),
                                "palyra_" + good.token().tokenId() + "_" + "A".repeat(43),
                                "A".repeat(1_000_000)));
        wrong.forEach(token -> sentences.add(refusal(token)));
        assertEquals(1, sentences.size(), sentences.toString());
        assertEquals("user:a", stage.come(secret).id());
    }

    @Test
    void aRevokedTokenIsRefusedAtOnce() {
        IssuedToken issued = stage.token(stage.owner(), "user:a", "viewer");
        stage.come(issued.secret());
        TokenView first = revoke(issued.token().tokenId());
        assertNotEquals(0, first.revokedAtMillis());
        refusal(issued.secret());
        assertEquals(first, revoke(issued.token().tokenId()));
        assertEquals(ErrorCode.NOT_FOUND, codeOf(() -> revoke("01ARZ3NDEKTSV4RRFFQ69G5FAV")));
        assertEquals(ErrorCode.INVALID_ARGUMENT, codeOf(() -> revoke("nonsense")));
    }

    @Test
    void revokingFromTwoSidesAtOnceRevokesOnce() throws Exception {
        IssuedToken issued = stage.token(stage.owner(), "user:a", "viewer");
        List<Callable<TokenView>> both = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            both.add(() -> revoke(issued.token().tokenId()));
        }
        Set<TokenView> views = new HashSet<>();
        try (var threads = Executors.newFixedThreadPool(both.size())) {
            for (Future<TokenView> done : threads.invokeAll(both, 60, TimeUnit.SECONDS)) {
                views.add(done.get());
            }
        }
        assertEquals(1, views.size(), views.toString());
        refusal(issued.secret());
    }

    @Test
    void anExpiredTokenIsRefusedAtOnce() {
        IssuedToken issued = stage.token(stage.owner(), "user:a", "viewer", 3_600_000);
        stage.ahead.set(3_590_000);
        stage.come(issued.secret());
        stage.ahead.set(3_600_001);
        refusal(issued.secret());
    }

    @Test
    void nothingIsRememberedWhileTheJournalIsAway() {
        IssuedToken issued = stage.token(stage.owner(), "user:a", "viewer");
        stage.come(issued.secret());
        stage.journalGoes();
        assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, codeOf(() -> stage.come(issued.secret())));
        stage.journalComes();
        assertEquals("user:a", stage.come(issued.secret()).id());
    }

    @Test
    void aStoredTokenThatWasWidenedFitsNothing() {
        IssuedToken issued = stage.token(stage.owner(), "user:a", "viewer", "run.read");
        for (String[] change :
                new String[][] {
                    {"\"viewer\"", "\"operator\""},
                    {"\"run.read\"", ""},
                    {"user:a", "user:operator"},
                    {"\"expiresAtMillis\":0", "\"expiresAtMillis\":99999999999999"}
                }) {
            Document good = document(issued);
            String text = new String(good.content(), StandardCharsets.UTF_8);
            assertTrue(text.contains(change[0]), text);
            put(issued, text.replace(change[0], change[1]).getBytes(StandardCharsets.UTF_8));
            refusal(issued.secret());
            put(issued, good.content());
            assertEquals("user:a", stage.come(issued.secret()).id());
        }
    }

    private Document document(IssuedToken issued) {
        return stage.journal()
                .document(StoredToken.COLLECTION, issued.token().tokenId())
                .orElseThrow();
    }

    private void put(IssuedToken issued, byte[] content) {
        stage.journal()
                .commit(
                        Unit.of(
                                new Operation.PutDocument(
                                        StoredToken.COLLECTION,
                                        issued.token().tokenId(),
                                        content)));
    }

    @Test
    void aTokenCannotMakeAStrongerOne() {
        Principal limited =
                stage.come(
                        stage.token(
                                        stage.owner(),
                                        "user:limited",
                                        "operator",
                                        60_000,
                                        "access.token.*",
                                        "run.read")
                                .secret());
        assertEquals(
                ErrorCode.DENIED, codeOf(() -> stage.token(limited, "user:x", "operator", 1_000)));
        assertEquals(
                ErrorCode.DENIED,
                codeOf(() -> stage.token(limited, "user:x", "viewer", 1_000, "run.*")));
        assertEquals(
                ErrorCode.DENIED,
                codeOf(() -> stage.token(limited, "user:x", "viewer", 0, "run.read")));
        assertEquals(
                ErrorCode.DENIED,
                codeOf(() -> stage.token(limited, "user:x", "viewer", 120_000, "run.read")));
        IssuedToken smaller = stage.token(limited, "user:x", "viewer", 1_000, "run.read");
        assertEquals(Set.of("run.read"), stage.come(smaller.secret()).scopes());
    }

    @Test
    void aTokenRevokedMeanwhileMakesNoOther() {
        IssuedToken issued = stage.token(stage.owner(), "user:op", "operator");
        Principal maker = stage.come(issued.secret());
        Authorized permit =
                stage.access.authorize(AccessRequest.of(maker, "access.token.create", ""));
        revoke(issued.token().tokenId());
        assertEquals(
                ErrorCode.DENIED,
                codeOf(
                        () ->
                                stage.access.createToken(
                                        permit, "", "user:x", Set.of("viewer"), Set.of(), 0)));
    }

    @Test
    void nobodyButAnOperatorMakesTokens() {
        for (String group : List.of("approver", "integrator", "viewer")) {
            Principal other = stage.come(stage.token(stage.owner(), "user:o", group).secret());
            assertEquals(ErrorCode.DENIED, codeOf(() -> stage.token(other, "user:o", group)));
        }
    }

    @Test
    void aPermitForAnotherActionOrAnOldOneIsRefused() {
        Principal owner = stage.owner();
        Authorized other = stage.access.authorize(AccessRequest.of(owner, "run.start", ""));
        assertEquals(ErrorCode.DENIED, codeOf(() -> create(other)));
        assertEquals(
                ErrorCode.DENIED,
                codeOf(() -> stage.access.revokeToken(other, "01ARZ3NDEKTSV4RRFFQ69G5FAV")));
        assertEquals(ErrorCode.DENIED, codeOf(() -> stage.access.tokens(other.permit())));
        Authorized old = stage.access.authorize(AccessRequest.of(owner, "access.token.create", ""));
        stage.ahead.set(Permit.VALID_MILLIS + 1);
        assertEquals(ErrorCode.DENIED, codeOf(() -> create(old)));
        create(stage.access.authorize(AccessRequest.of(owner, "access.token.create", "")));
    }

    private IssuedToken create(Authorized permit) {
        return stage.access.createToken(permit, "", "user:x", Set.of("viewer"), Set.of(), 0);
    }

    @Test
    void listsTokensNewestFirstWithoutSecrets() {
        IssuedToken one = stage.token(stage.owner(), "user:a", "viewer");
        IssuedToken two = stage.token(stage.owner(), "user:b", "viewer");
        revoke(one.token().tokenId());
        List<TokenView> listed =
                stage.access.tokens(
                        stage.access.authorizeRead(
                                AccessRequest.of(stage.owner(), "access.token.list", "")));
        List<String> ids = listed.stream().map(TokenView::tokenId).toList();
        assertEquals(
                List.of(two.token().tokenId(), one.token().tokenId()),
                ids.stream()
                        .filter(
                                id ->
                                        id.equals(one.token().tokenId())
                                                || id.equals(two.token().tokenId()))
                        .toList());
        assertFalse(listed.toString().contains(one.secret().substring(34)));
    }

    @Test
    void theChangeAndItsPermitAreOneUnit() {
        IssuedToken issued = stage.token(stage.owner(), "user:a", "viewer");
        assertTrue(
                stage.events(DecisionRecord.ACCESS_DECISION).stream()
                        .anyMatch(event -> event.contains("access.token.create")));
        revoke(issued.token().tokenId());
        assertTrue(
                stage.events(DecisionRecord.ACCESS_DECISION).stream()
                        .anyMatch(event -> event.contains("access.token.revoke")));
    }
}
