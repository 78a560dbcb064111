package palyra.access.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.access.internal.passkey.SoftAuthenticator;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.AccountView;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.ConsoleSession;
import palyra.api.core.access.Invitation;
import palyra.api.core.access.IssuedSession;
import palyra.api.core.access.NewFactor;
import palyra.api.core.access.SessionTimes;
import palyra.api.core.access.SignInClient;
import palyra.api.core.access.SignInProof;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;

class AccountsTest {
    private static final String PASSWORD = "correct horse battery";
    private static final long MINUTE = 60_000;
    private static final SessionTimes TIMES = new SessionTimes(30 * MINUTE, 12 * 60 * MINUTE);
    private static final SignInClient CLIENT =
            new SignInClient("192.0.2.1", "Firefox on Linux", SoftAuthenticator.ORIGIN, "");

    @TempDir Path state;
    private Stage stage;
    private AccountsCore accounts;

    @BeforeEach
    void open() {
        stage = Stage.open(state);
        accounts = restarted();
    }

    @AfterEach
    void close() {
        stage.close();
    }

    /** Returns accounts that remember nothing, as after a restart or a swap. */
    private AccountsCore restarted() {
        return new AccountsCore(stage.access, stage.journalGate, stage.keysGate, stage::now);
    }

    private void pass(long millis) {
        stage.ahead.addAndGet(millis);
    }

    private static SignInClient from(String address) {
        return new SignInClient(address, "a browser", SoftAuthenticator.ORIGIN, "");
    }

    private Authorized permit(Principal caller, String action, String resource, String owner) {
        return stage.access.authorize(new AccessRequest(caller, action, resource, owner, Map.of()));
    }

    private Authorized about(Principal caller, String action, String account) {
        return permit(caller, action, "principal:user:" + account, "");
    }

    private Authorized own(IssuedSession session, String action) {
        Principal person = session.session().principal();
        return permit(person, action, "principal:" + person.id(), person.id());
    }

    private Invitation invite(String name, String... groups) {
        return accounts.invite(
                about(stage.owner(), "access.account.invite", name), name, Set.of(groups));
    }

    private IssuedSession withPassword(String name, String... groups) {
        return accounts.accept(
                invite(name, groups).secret(), new NewFactor.Password(PASSWORD), CLIENT, TIMES);
    }

    private IssuedSession signIn(String name, String password, SignInClient client) {
        return accounts.signIn(new SignInProof.Password(name, password), client, TIMES);
    }

    private IssuedSession withPasskey(SoftAuthenticator authenticator, String name, String group) {
        String invitation = invite(name, group).secret();
        String challenge = accounts.challengeForInvited(invitation, CLIENT).challenge();
        return accounts.accept(invitation, authenticator.make("key", challenge), CLIENT, TIMES);
    }

    private static void refused(ErrorCode code, Runnable attempt) {
        PalyraException refused = assertThrows(PalyraException.class, attempt::run);
        assertEquals(code, refused.code(), refused.getMessage());
    }

    private void ended(IssuedSession session) {
        refused(ErrorCode.UNAUTHENTICATED, () -> accounts.session(session.secret(), false));
    }

    private ConsoleSession open(IssuedSession session) {
        return accounts.session(session.secret(), false);
    }

    // ---- Invitations ----

    @Test
    void anInvitationCountsOnceAndForFifteenMinutes() {
        assertTrue(accounts.empty());
        Invitation invitation = invite("alice", "operator");
        assertFalse(invitation.toString().contains(invitation.secret()));
        assertTrue(accounts.empty(), "an account without a factor is no way in");
        assertEquals("alice", accounts.invited(invitation.secret()).name());
        IssuedSession session =
                accounts.accept(
                        invitation.secret(), new NewFactor.Password(PASSWORD), CLIENT, TIMES);
        assertEquals(Set.of("operator"), open(session).principal().groups());
        assertFalse(accounts.empty());
        refused(
                ErrorCode.UNAUTHENTICATED,
                () ->
                        accounts.accept(
                                invitation.secret(),
                                new NewFactor.Password("another password"),
                                CLIENT,
                                TIMES));
        Invitation late = invite("bob", "viewer");
        pass(Invitations.VALID_MILLIS);
        refused(ErrorCode.UNAUTHENTICATED, () -> accounts.invited(late.secret()));
    }

    @Test
    void aLaterInvitationEndsTheEarlierAndOneOfAnotherAccountIsNone() {
        Invitation first = invite("alice", "viewer");
        Invitation second = invite("alice");
        Invitation bobs = invite("bob", "viewer");
        refused(ErrorCode.UNAUTHENTICATED, () -> accounts.invited(first.secret()));
        assertEquals("alice", accounts.invited(second.secret()).name());
        String mixed = "alice" + bobs.secret().substring(bobs.secret().indexOf('.'));
        for (String wrong : List.of(mixed, "", ".", "alice.", "alice", "x".repeat(5_000))) {
            refused(ErrorCode.UNAUTHENTICATED, () -> accounts.invited(wrong));
        }
    }

    @Test
    void aRefusedPasswordLeavesTheInvitationOpen() {
        Invitation invitation = invite("alice", "viewer");
        refused(
                ErrorCode.INVALID_ARGUMENT,
                () ->
                        accounts.accept(
                                invitation.secret(),
                                new NewFactor.Password("short"),
                                CLIENT,
                                TIMES));
        accounts.accept(invitation.secret(), new NewFactor.Password(PASSWORD), CLIENT, TIMES);
    }

    @Test
    void noMakerGivesMoreThanTheMakerHas() {
        withPassword("boss", "operator");
        Principal integrator =
                stage.come(stage.token(stage.owner(), "user:i", "integrator").secret());
        refused(ErrorCode.DENIED, () -> about(integrator, "access.account.invite", "mine"));
        Authorized stolen =
                new Authorized(
                        new palyra.api.access.Permit(
                                "01ARZ3NDEKTSV4RRFFQ69G5FAV",
                                integrator,
                                "access.account.invite",
                                "principal:user:boss",
                                palyra.api.access.DecisionSource.POLICY,
                                "a policy of an operator lets integrators invite",
                                stage.now()),
                        about(stage.owner(), "access.account.invite", "boss").record());
        refused(ErrorCode.DENIED, () -> accounts.invite(stolen, "boss", Set.of("integrator")));
        refused(ErrorCode.DENIED, () -> accounts.invite(stolen, "boss", Set.of()));
        Principal scoped =
                stage.come(
                        stage.token(stage.owner(), "user:s", "operator", "access.account.invite")
                                .secret());
        refused(
                ErrorCode.DENIED,
                () ->
                        accounts.invite(
                                about(scoped, "access.account.invite", "wide"),
                                "wide",
                                Set.of("viewer")));
    }

    // ---- Sessions ----

    @Test
    void aSessionIsNoApiTokenAndAnApiTokenIsNoSession() {
        IssuedSession session = withPassword("alice", "operator");
        refused(ErrorCode.UNAUTHENTICATED, () -> stage.come(session.secret()));
        String token = stage.token(stage.owner(), "user:alice", "operator").secret();
        refused(ErrorCode.UNAUTHENTICATED, () -> accounts.session(token, true));
        assertFalse(session.toString().contains(session.secret()));
    }

    @Test
    void sessionsEndAtTheirIdleAndTheirAbsoluteEnd() {
        IssuedSession idle = withPassword("alice", "viewer");
        pass(29 * MINUTE);
        open(idle);
        pass(2 * MINUTE);
        ended(idle);
        IssuedSession busy = signIn("alice", PASSWORD, CLIENT);
        for (int i = 0; i < 35; i++) {
            pass(20 * MINUTE);
            accounts.session(busy.secret(), true);
        }
        pass(20 * MINUTE);
        ended(busy);
    }

    @Test
    void aBusySessionWithAShortIdleTimeGoesOn() {
        SessionTimes brief = new SessionTimes(MINUTE, 12 * 60 * MINUTE);
        String secret =
                accounts.accept(
                                invite("alice", "viewer").secret(),
                                new NewFactor.Password(PASSWORD),
                                CLIENT,
                                brief)
                        .secret();
        for (int i = 0; i < 12; i++) {
            pass(20_000);
            accounts.session(secret, true);
        }
        pass(MINUTE);
        refused(ErrorCode.UNAUTHENTICATED, () -> accounts.session(secret, true));
    }

    @Test
    void whatAPageLoadsByItselfDoesNotKeepASession() {
        IssuedSession session = withPassword("alice", "viewer");
        for (int i = 0; i < 6; i++) {
            pass(5 * MINUTE - 1_000);
            accounts.session(session.secret(), false);
        }
        pass(MINUTE);
        ended(session);
    }

    @Test
    void disabledReducedRemovedAndRevokedSessionsAreRefusedAtOnce() {
        IssuedSession session = withPassword("alice", "operator", "viewer");
        Authorized update = about(stage.owner(), "access.account.update", "alice");
        accounts.setDisabled(update, true);
        ended(session);
        refused(ErrorCode.UNAUTHENTICATED, () -> signIn("alice", PASSWORD, CLIENT));
        accounts.setDisabled(about(stage.owner(), "access.account.update", "alice"), false);
        ended(session); // it may have been stolen
        IssuedSession back = signIn("alice", PASSWORD, CLIENT);
        open(back);
        accounts.setGroups(
                about(stage.owner(), "access.account.update", "alice"), Set.of("viewer"));
        ended(back);
        IssuedSession less = signIn("alice", PASSWORD, CLIENT);
        assertEquals(Set.of("viewer"), open(less).principal().groups());
        String id = less.session().sessionId();
        accounts.endSession(
                permit(stage.owner(), "access.session.end", "token:" + id, "user:alice"),
                "user:alice");
        ended(less);
        IssuedSession last = signIn("alice", PASSWORD, CLIENT);
        accounts.remove(about(stage.owner(), "access.account.remove", "alice"));
        ended(last);
        withPassword("alice", "viewer", "operator");
        ended(last);
    }

    @Test
    void aPersonEndsNoSessionOfAnother() {
        IssuedSession alice = withPassword("alice", "viewer");
        IssuedSession bob = withPassword("bob", "viewer");
        Principal person = bob.session().principal();
        String resource = "token:" + alice.session().sessionId();
        refused(
                ErrorCode.DENIED,
                () -> permit(person, "access.session.end", resource, "user:alice"));
        Authorized lied = permit(person, "access.session.end", resource, "user:bob");
        refused(ErrorCode.NOT_FOUND, () -> accounts.endSession(lied, "user:bob"));
        open(alice);
    }

    @Test
    void aSwapAndACrashKeepSessionsAndCounts() {
        IssuedSession session = withPassword("alice", "viewer");
        stage.journalGoes();
        stage.journalComes();
        accounts = restarted();
        open(session);
    }

    @Test
    void aDocumentThatWasChangedInTheDatabaseGrantsNothing() {
        IssuedSession session = withPassword("alice", "viewer");
        Document account = stage.journal().document(Account.COLLECTION, "alice").orElseThrow();
        String changed =
                new String(account.content(), StandardCharsets.UTF_8)
                        .replace("\"viewer\"", "\"operator\"");
        stage.journal()
                .commit(
                        Unit.of(
                                new Operation.PutDocument(
                                        Account.COLLECTION,
                                        "alice",
                                        changed.getBytes(StandardCharsets.UTF_8))));
        refused(ErrorCode.CORRUPT, () -> accounts.session(session.secret(), false));
        refused(ErrorCode.CORRUPT, () -> signIn("alice", PASSWORD, CLIENT));
    }

    @Test
    void theGrantOfASessionIsRecordedWithItsFactorAndAddress() {
        withPassword("alice", "viewer");
        signIn("alice", PASSWORD, CLIENT);
        List<String> grants =
                stage.events("access_decision").stream()
                        .filter(record -> record.contains("access.session.begin"))
                        .toList();
        assertEquals(2, grants.size());
        assertTrue(grants.get(0).contains("\"factor\":\"invitation\""), grants.get(0));
        assertTrue(grants.get(1).contains("\"factor\":\"password\""), grants.get(1));
        assertTrue(grants.get(1).contains("192.0.2.1"), grants.get(1));
        assertTrue(stage.events("access_decision").stream().noneMatch(r -> r.contains(PASSWORD)));
    }

    @Test
    void eachSignInHasASecretOfItsOwn() {
        IssuedSession first = withPassword("alice", "viewer");
        IssuedSession second = signIn(" Alice ", PASSWORD, CLIENT);
        assertNotEquals(first.secret(), second.secret());
        assertEquals(
                2,
                accounts.sessions(
                                stage.access.authorizeRead(
                                        AccessRequest.of(stage.owner(), "access.session.list", "")))
                        .size());
    }

    // ---- Passwords ----

    @Test
    void unknownDisabledAndWrongAreToldTheSame() {
        withPassword("alice", "viewer");
        withPasskey(new SoftAuthenticator("ES256", 1), "keys", "viewer");
        String said = null;
        for (String name :
                List.of("alice", "unknown-name", "keys", "", "../x", "A".repeat(9_000))) {
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () -> signIn(name, "wrong password", from("192.0.2.9")));
            assertEquals(ErrorCode.UNAUTHENTICATED, refused.code());
            assertEquals(said == null ? refused.getMessage() : said, refused.getMessage());
            said = refused.getMessage();
        }
        for (String name : List.of("alice", "unknown-name")) {
            assertEquals(
                    1,
                    stage.journal().documents(SignInThrottle.COLLECTION, "", 100).stream()
                            .filter(each -> each.key().equals(counter(name)))
                            .count(),
                    "the same is written for " + name);
        }
    }

    private String counter(String name) {
        return new SignInThrottle(
                        stage.journalGate,
                        stage.keysGate,
                        new Recorder(stage.journalGate),
                        stage::now)
                .counter(name, "");
    }

    @Test
    void guessingGetsSlowerAndARestartDoesNotForgetIt() {
        withPassword("alice", "viewer");
        for (int i = 0; i < 5; i++) {
            SignInClient client = from("198.51.100." + i);
            refused(ErrorCode.UNAUTHENTICATED, () -> signIn("alice", "wrong password", client));
        }
        refused(
                ErrorCode.RESOURCE_EXHAUSTED,
                () -> signIn("alice", PASSWORD, from("198.51.100.8")));
        accounts = restarted();
        refused(
                ErrorCode.RESOURCE_EXHAUSTED,
                () -> signIn("alice", PASSWORD, from("198.51.100.9")));
        pass(1_001);
        signIn("alice", PASSWORD, from("198.51.100.9"));
        refused(
                ErrorCode.UNAUTHENTICATED,
                () -> signIn("alice", "wrong password", from("198.51.100.9")));
    }

    @Test
    void strangersMakeAPersonWaitAMinuteAtMostAndAKnownBrowserNotAtAll() {
        IssuedSession session = withPassword("alice", "viewer");
        SignInClient known =
                new SignInClient(
                        "192.0.2.1", "a browser", SoftAuthenticator.ORIGIN, session.device());
        for (int i = 0; i < 30; i++) {
            SignInClient stranger = from("203.0.113." + i);
            refused(ErrorCode.UNAUTHENTICATED, () -> signIn("alice", "wrong password", stranger));
            pass(MINUTE);
        }
        pass(-MINUTE + 1);
        refused(ErrorCode.RESOURCE_EXHAUSTED, () -> signIn("alice", PASSWORD, from("192.0.2.7")));
        signIn("alice", PASSWORD, known);
        pass(MINUTE);
        signIn("alice", PASSWORD, from("192.0.2.7"));
    }

    @Test
    void aDeviceOfAnotherAccountOrAnInventedOneCountsAsAStranger() {
        withPassword("alice", "viewer");
        String bobs = withPassword("bob", "viewer").device();
        for (int i = 0; i < 5; i++) {
            SignInClient client = from("198.51.100." + i);
            refused(ErrorCode.UNAUTHENTICATED, () -> signIn("alice", "wrong password", client));
        }
        for (String device : List.of(bobs, "abc.def", ".", "x")) {
            SignInClient client =
                    new SignInClient("192.0.2.5", "b", SoftAuthenticator.ORIGIN, device);
            refused(ErrorCode.RESOURCE_EXHAUSTED, () -> signIn("alice", PASSWORD, client));
        }
    }

    @Test
    void anAddressThatGuessesManyNamesHasToWait() {
        for (int i = 0; i < 20; i++) {
            String name = "name" + i;
            refused(
                    ErrorCode.UNAUTHENTICATED,
                    () -> signIn(name, "wrong password", from("2001:db8:1:2::9")));
        }
        refused(
                ErrorCode.RESOURCE_EXHAUSTED,
                () -> signIn("other", "wrong password", from("2001:db8:1:2::77")));
        refused(
                ErrorCode.UNAUTHENTICATED,
                () -> signIn("other", "wrong password", from("2001:db8:1:3::9")));
    }

    @Test
    void anAddressInShortFormIsOfTheSameNetworkAsWrittenOut() {
        for (int i = 0; i < 20; i++) {
            String name = "name" + i;
            String address = "2001:db8::" + i + ":0:0:1";
            refused(ErrorCode.UNAUTHENTICATED, () -> signIn(name, "wrong password", from(address)));
        }
        for (String same : List.of("2001:db8::77:0:0:1", "2001:db8:0:0:5:6:7:8")) {
            refused(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    () -> signIn("other", "wrong password", from(same)));
        }
        refused(
                ErrorCode.UNAUTHENTICATED,
                () -> signIn("other", "wrong password", from("2001:db8:0:1::1")));
    }

    // ---- Passkeys ----

    @Test
    void aPasskeySignsInOncePerChallenge() {
        SoftAuthenticator key = new SoftAuthenticator("ES256", 1);
        withPasskey(key, "alice", "approver");
        key.counter = 1;
        SignInProof proof = key.prove(accounts.challenge(CLIENT).challenge());
        IssuedSession session = accounts.signIn(proof, CLIENT, TIMES);
        assertEquals("passkey", open(session).factor());
        key.counter = 2;
        refused(ErrorCode.UNAUTHENTICATED, () -> accounts.signIn(proof, CLIENT, TIMES));
        SignInProof late = key.prove(accounts.challenge(CLIENT).challenge());
        pass(5 * MINUTE);
        refused(ErrorCode.UNAUTHENTICATED, () -> accounts.signIn(late, CLIENT, TIMES));
        SignInProof elsewhere = key.prove(accounts.challenge(from("192.0.2.66")).challenge());
        refused(ErrorCode.UNAUTHENTICATED, () -> accounts.signIn(elsewhere, CLIENT, TIMES));
        SignInProof invented = key.prove("A".repeat(43));
        refused(ErrorCode.UNAUTHENTICATED, () -> accounts.signIn(invented, CLIENT, TIMES));
    }

    @Test
    void aCounterThatGoesBackIsRefusedAlsoAfterARestart() {
        SoftAuthenticator key = new SoftAuthenticator("EdDSA", 1);
        withPasskey(key, "alice", "viewer");
        key.counter = 9;
        accounts.signIn(key.prove(accounts.challenge(CLIENT).challenge()), CLIENT, TIMES);
        accounts = restarted();
        SignInProof copied = key.prove(accounts.challenge(CLIENT).challenge());
        refused(ErrorCode.UNAUTHENTICATED, () -> accounts.signIn(copied, CLIENT, TIMES));
        key.counter = 10;
        accounts.signIn(key.prove(accounts.challenge(CLIENT).challenge()), CLIENT, TIMES);
    }

    @Test
    void aPasskeyOfAnotherAccountProvesNothingAndCannotBeTaken() {
        SoftAuthenticator alices = new SoftAuthenticator("ES256", 1);
        SoftAuthenticator bobs = new SoftAuthenticator("ES256", 2);
        IssuedSession alice = withPasskey(alices, "alice", "operator");
        IssuedSession bob = withPasskey(bobs, "bob", "viewer");
        String secret = alice.secret();
        String challenge = accounts.challengeFor(secret, false, CLIENT).challenge();
        refused(
                ErrorCode.UNAUTHENTICATED,
                () -> accounts.prove(secret, bobs.prove(challenge), CLIENT));
        String bound = accounts.challengeFor(bob.secret(), false, CLIENT).challenge();
        refused(
                ErrorCode.UNAUTHENTICATED,
                () -> accounts.prove(secret, alices.prove(bound), CLIENT));
        String fresh = accounts.challengeFor(bob.secret(), true, CLIENT).challenge();
        SoftAuthenticator same = new SoftAuthenticator("ES256", 1);
        refused(
                ErrorCode.CONFLICT,
                () ->
                        accounts.change(
                                own(bob, "access.factor.change"),
                                bob.secret(),
                                same.make("stolen id", fresh),
                                CLIENT));
        accounts.prove(
                secret,
                alices.prove(accounts.challengeFor(secret, false, CLIENT).challenge()),
                CLIENT);
    }

    @Test
    void aChallengeForOneUseIsNoneForAnother() {
        SoftAuthenticator key = new SoftAuthenticator("ES256", 1);
        IssuedSession session = withPasskey(key, "alice", "viewer");
        String forProof = accounts.challengeFor(session.secret(), false, CLIENT).challenge();
        refused(
                ErrorCode.UNAUTHENTICATED,
                () ->
                        accounts.change(
                                own(session, "access.factor.change"),
                                session.secret(),
                                new SoftAuthenticator("ES256", 3).make("x", forProof),
                                CLIENT));
        String forSignIn = accounts.challenge(CLIENT).challenge();
        refused(
                ErrorCode.UNAUTHENTICATED,
                () -> accounts.prove(session.secret(), key.prove(forSignIn), CLIENT));
    }

    @Test
    void proofsAgainAreForTheOwnAccountAndAreNoted() {
        IssuedSession session = withPassword("alice", "viewer");
        withPassword("bob", "viewer");
        pass(10 * MINUTE);
        assertTrue(stage.now() - open(session).provenAtMillis() >= 10 * MINUTE);
        refused(
                ErrorCode.UNAUTHENTICATED,
                () ->
                        accounts.prove(
                                session.secret(),
                                new SignInProof.Password("bob", "wrong password"),
                                CLIENT));
        ConsoleSession proven =
                accounts.prove(session.secret(), new SignInProof.Password("bob", PASSWORD), CLIENT);
        assertEquals("alice", proven.account());
        assertTrue(stage.now() - open(session).provenAtMillis() < MINUTE);
    }

    @Test
    void theOnlyFactorIsNotRemoved() {
        SoftAuthenticator key = new SoftAuthenticator("RS256", 1);
        IssuedSession session = withPasskey(key, "alice", "viewer");
        refused(
                ErrorCode.CONFLICT,
                () -> accounts.removePasskey(own(session, "access.factor.change"), key.id()));
        accounts.change(
                own(session, "access.factor.change"),
                session.secret(),
                new NewFactor.Password(PASSWORD),
                CLIENT);
        AccountView renamed =
                accounts.renamePasskey(
                        own(session, "access.factor.change"), key.id(), "  Lap\u202etop\n ");
        assertEquals("Laptop", renamed.passkeys().get(0).label());
        AccountView left = accounts.removePasskey(own(session, "access.factor.change"), key.id());
        assertTrue(left.passkeys().isEmpty());
        SignInProof gone = key.prove(accounts.challenge(CLIENT).challenge());
        refused(ErrorCode.UNAUTHENTICATED, () -> accounts.signIn(gone, CLIENT, TIMES));
    }

    @Test
    void aPermitForAnotherAccountChangesNothing() {
        IssuedSession alice = withPassword("alice", "viewer");
        withPassword("bob", "viewer");
        Principal person = alice.session().principal();
        refused(
                ErrorCode.DENIED,
                () -> permit(person, "access.factor.change", "principal:user:bob", "user:bob"));
        refused(
                ErrorCode.DENIED,
                () ->
                        accounts.setDisabled(
                                permit(stage.owner(), "access.account.update", "", ""), true));
    }

    @Test
    void withoutAJournalNothingIsLetIn() {
        IssuedSession session = withPassword("alice", "viewer");
        stage.journalGoes();
        refused(ErrorCode.JOURNAL_UNAVAILABLE, () -> accounts.session(session.secret(), true));
        refused(ErrorCode.JOURNAL_UNAVAILABLE, () -> signIn("alice", PASSWORD, CLIENT));
        stage.journalComes();
        open(session);
    }
}
