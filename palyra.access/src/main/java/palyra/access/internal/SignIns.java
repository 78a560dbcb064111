package palyra.access.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import palyra.access.internal.Challenges.Purpose;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.ConsoleSession;
import palyra.api.core.access.IssuedSession;
import palyra.api.core.access.NewFactor;
import palyra.api.core.access.PasskeyChallenge;
import palyra.api.core.access.SessionTimes;
import palyra.api.core.access.SignInClient;
import palyra.api.core.access.SignInProof;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;

/**
 * Begins sessions: a proof, then the permission {@code access.session.begin}, whose record is
 * stored in one unit with the session and with what the proof changed (the passkey's counter, the
 * invitation that is used up). Of two answers that use the same counter or invitation, one counts.
 */
final class SignIns {
    private static final String BEGIN = "access.session.begin";
    private static final String PROVE = "access.session.prove";

    private final Access access;
    private final Parts parts;
    private final Recorder recorder;

    /** What it is made of. */
    record Parts(
            AccountStore store,
            ConsoleSessions sessions,
            Invitations invitations,
            PasswordCheck passwords,
            PasskeyCheck passkeys,
            Factors factors) {}

    SignIns(Access access, Parts parts, Recorder recorder) {
        this.access = access;
        this.parts = parts;
        this.recorder = recorder;
    }

    /** An account whose person is there, and what to store besides. */
    private record Proved(AccountStore.Found found, String factor, List<Operation> operations) {}

    Account invited(String invitation) {
        return parts.invitations().require(invitation).account();
    }

    PasskeyChallenge challenge(SignInClient client) {
        return parts.passkeys().challenge(client);
    }

    PasskeyChallenge challengeForInvited(String invitation, SignInClient client) {
        Account account = invited(invitation);
        return parts.passkeys()
                .challenge(Purpose.NEW_PASSKEY, account.invitation(), account, client);
    }

    PasskeyChallenge challengeFor(String secret, boolean forNew, SignInClient client) {
        ConsoleSession session = parts.sessions().look(secret, false);
        Purpose purpose = forNew ? Purpose.NEW_PASSKEY : Purpose.PROVE;
        Account account = parts.store().find(session.account()).orElseThrow().account();
        return parts.passkeys().challenge(purpose, session.sessionId(), account, client);
    }

    IssuedSession signIn(SignInProof proof, SignInClient client, SessionTimes times) {
        Proved proved = prove(proof, Purpose.SIGN_IN, client.address(), client);
        return begin(proved, List.of(), client, times);
    }

    private Proved prove(SignInProof proof, Purpose purpose, String bound, SignInClient client) {
        return switch (proof) {
            case SignInProof.Password password -> {
                PasswordCheck.Passed passed = parts.passwords().require(password, client);
                List<Operation> operations = new ArrayList<>(List.of(passed.clear()));
                if (passed.changed()) {
                    operations.add(parts.store().put(passed.found().account()));
                }
                yield new Proved(passed.found(), "password", operations);
            }
            case SignInProof.Passkey passkey -> {
                AccountStore.Found found =
                        parts.passkeys().require(purpose, bound, passkey, client);
                yield new Proved(found, "passkey", List.of(parts.store().put(found.account())));
            }
        };
    }

    IssuedSession accept(
            String invitation, NewFactor factor, SignInClient client, SessionTimes times) {
        AccountStore.Found found = parts.invitations().require(invitation);
        Factors.Changed changed =
                parts.factors().with(found.account(), factor, found.account().invitation(), client);
        Account used = changed.account().withInvitation("", 0);
        List<Operation> operations = new ArrayList<>(changed.operations());
        operations.add(parts.store().put(used));
        Proved proved =
                new Proved(new AccountStore.Found(used, found.version()), "invitation", operations);
        return begin(proved, changed.conditions(), client, times);
    }

    private IssuedSession begin(
            Proved proved, List<Precondition> conditions, SignInClient client, SessionTimes times) {
        Account account = proved.found().account();
        Authorized permit =
                access.authorize(
                        request(
                                account.principal(),
                                BEGIN,
                                AccountAdministration.ACCOUNT + account.name(),
                                proved.factor(),
                                client));
        ConsoleSessions.Begun begun =
                parts.sessions().begin(account, proved.factor(), client, times);
        Unit.Builder unit = Unit.builder().require(parts.store().at(proved.found()));
        conditions.forEach(unit::require);
        commit(
                unit.addAll(proved.operations())
                        .addAll(begun.operations())
                        .add(permit.record())
                        .build());
        return new IssuedSession(
                begun.session(), begun.secret(), parts.passwords().newDevice(account.name()));
    }

    ConsoleSession prove(String secret, SignInProof proof, SignInClient client) {
        ConsoleSession session = parts.sessions().look(secret, false);
        SignInProof own =
                proof instanceof SignInProof.Password password
                        ? new SignInProof.Password(session.account(), password.password())
                        : proof;
        Proved proved = prove(own, Purpose.PROVE, session.sessionId(), client);
        if (!proved.found().account().name().equals(session.account())) {
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED, "That was the passkey of another account.");
        }
        Authorized permit =
                access.authorize(
                        request(
                                session.principal(),
                                PROVE,
                                AccountAdministration.SESSION + session.sessionId(),
                                proved.factor(),
                                client));
        List<Operation> operations = new ArrayList<>(proved.operations());
        operations.add(permit.record());
        return parts.sessions().proven(secret, operations, parts.store().at(proved.found()));
    }

    private static AccessRequest request(
            Principal principal,
            String action,
            String resource,
            String factor,
            SignInClient client) {
        return new AccessRequest(
                principal,
                action,
                resource,
                principal.id(),
                Map.of("factor", factor, "address", client.address(), "agent", client.agent()));
    }

    private void commit(Unit unit) {
        try {
            recorder.commit(unit);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    "The account was changed at this moment, or this was used already; try again.",
                    e);
        }
    }
}
