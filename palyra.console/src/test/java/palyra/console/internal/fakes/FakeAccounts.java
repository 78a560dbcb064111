package palyra.console.internal.fakes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccountView;
import palyra.api.core.access.Accounts;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.ConsoleSession;
import palyra.api.core.access.Invitation;
import palyra.api.core.access.IssuedSession;
import palyra.api.core.access.NewFactor;
import palyra.api.core.access.PasskeyChallenge;
import palyra.api.core.access.SessionTimes;
import palyra.api.core.access.SignInClient;
import palyra.api.core.access.SignInProof;

/** One account, alice, with one password; sessions in memory. */
public final class FakeAccounts implements Accounts {
    public static final String PASSWORD = "correct horse battery";

    public final Map<String, ConsoleSession> sessions = new LinkedHashMap<>(); // by secret
    public final List<String> ended = new ArrayList<>();
    public final List<Boolean> activity = new ArrayList<>();
    public final List<SignInClient> clients = new ArrayList<>();
    public boolean empty;
    public Set<String> groups = Set.of("operator"); // of sessions that begin
    public long provenMillis = System.currentTimeMillis();
    private int made;

    @Override
    public boolean empty() {
        return empty;
    }

    @Override
    public Invitation invite(Authorized permit, String name, Set<String> groups) {
        return new Invitation(view(), name + ".secret", Long.MAX_VALUE);
    }

    private static AccountView view() {
        return new AccountView(
                "alice", "user:alice", Set.of("operator"), false, true, List.of(), 0, 1);
    }

    @Override
    public List<AccountView> accounts(Permit permit) {
        return List.of(view());
    }

    @Override
    public AccountView account(Permit permit) {
        return view();
    }

    @Override
    public AccountView setDisabled(Authorized permit, boolean disabled) {
        throw new AssertionError("not a page's to do");
    }

    @Override
    public AccountView setGroups(Authorized permit, Set<String> groups) {
        throw new AssertionError("not a page's to do");
    }

    @Override
    public void remove(Authorized permit) {
        throw new AssertionError("not a page's to do");
    }

    @Override
    public List<ConsoleSession> sessions(Permit permit) {
        return List.copyOf(sessions.values());
    }

    @Override
    public void endSession(Authorized permit, String owner) {
        String id = permit.permit().resource().substring("token:".length());
        sessions.values().removeIf(session -> session.sessionId().equals(id));
        ended.add(id);
    }

    @Override
    public AccountView invited(String invitation) {
        if (!invitation.equals("alice.secret")) {
            throw new PalyraException(ErrorCode.UNAUTHENTICATED, "The invitation is not valid.");
        }
        return view();
    }

    @Override
    public IssuedSession accept(
            String invitation, NewFactor factor, SignInClient client, SessionTimes times) {
        invited(invitation);
        return begin(client);
    }

    /** Begins a session of alice. */
    public IssuedSession begin(SignInClient client) {
        made++;
        ConsoleSession session =
                new ConsoleSession(
                        "01ARZ3NDEKTSV4RRFFQ69G5F" + (10 + made),
                        "alice",
                        new Principal(
                                "user:alice", PrincipalKind.USER, groups, Set.of(), "token:x"),
                        "password",
                        client.address(),
                        client.agent(),
                        1,
                        2,
                        provenMillis,
                        1 + 12 * 3_600_000L);
        sessions.put("secret-" + made, session);
        clients.add(client);
        return new IssuedSession(session, "secret-" + made, "device-" + made);
    }

    @Override
    public PasskeyChallenge challenge(SignInClient client) {
        return new PasskeyChallenge("Y2hhbGxlbmdl", "localhost", "", "", List.of());
    }

    @Override
    public PasskeyChallenge challengeForInvited(String invitation, SignInClient client) {
        return challenge(client);
    }

    @Override
    public PasskeyChallenge challengeFor(String secret, boolean forNew, SignInClient client) {
        return challenge(client);
    }

    @Override
    public IssuedSession signIn(SignInProof proof, SignInClient client, SessionTimes times) {
        requirePassword(proof);
        return begin(client);
    }

    private static void requirePassword(SignInProof proof) {
        boolean right =
                proof instanceof SignInProof.Password password
                        && password.password().equals(PASSWORD);
        if (!right) {
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED, "The name or the password is not right.");
        }
    }

    @Override
    public ConsoleSession session(String secret, boolean active) {
        activity.add(active);
        if (!sessions.containsKey(secret)) {
            throw new PalyraException(ErrorCode.UNAUTHENTICATED, "The session has ended.");
        }
        return sessions.get(secret);
    }

    @Override
    public ConsoleSession prove(String secret, SignInProof proof, SignInClient client) {
        requirePassword(proof);
        provenMillis = System.currentTimeMillis();
        ConsoleSession before = sessions.remove(secret);
        ConsoleSession proven =
                new ConsoleSession(
                        before.sessionId(),
                        before.account(),
                        before.principal(),
                        before.factor(),
                        before.address(),
                        before.agent(),
                        before.createdAtMillis(),
                        before.seenAtMillis(),
                        provenMillis,
                        before.expiresAtMillis());
        sessions.put(secret, proven);
        return proven;
    }

    @Override
    public AccountView change(
            Authorized permit, String secret, NewFactor factor, SignInClient client) {
        return view();
    }

    @Override
    public AccountView renamePasskey(Authorized permit, String passkeyId, String label) {
        return view();
    }

    @Override
    public AccountView removePasskey(Authorized permit, String passkeyId) {
        return view();
    }
}
