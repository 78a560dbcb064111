package palyra.access.internal;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.ErrorCode;
import palyra.api.access.Permit;
import palyra.api.core.access.Access;
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
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;

/** Accounts of the console, their factors and sessions. Journal and keys may come and go. */
@Component(immediate = true)
public final class AccountsCore implements Accounts {
    private final Gate<Journal> journal;
    private final Gate<Keys> keys;
    private final AccountAdministration administration;
    private final ConsoleSessions sessions;
    private final SignIns signIns;
    private final Factors factors;
    private final LongSupplier clock;

    /** Creates the component. */
    @Activate
    public AccountsCore(@Reference Access access) {
        this(
                access,
                new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, AccessCore.ABSENT_MILLIS),
                new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, AccessCore.ABSENT_MILLIS),
                System::currentTimeMillis);
    }

    AccountsCore(Access access, Gate<Journal> journal, Gate<Keys> keys, LongSupplier clock) {
        this.journal = journal;
        this.keys = keys;
        this.clock = clock;
        Recorder recorder = new Recorder(journal);
        AccountStore store = new AccountStore(journal, keys);
        this.sessions = new ConsoleSessions(journal, keys, recorder, clock);
        Invitations invitations = new Invitations(store, keys, clock);
        this.administration =
                new AccountAdministration(store, sessions, invitations, recorder, clock);
        Challenges challenges = new Challenges(clock);
        PasswordCheck passwords =
                new PasswordCheck(store, new SignInThrottle(journal, keys, recorder, clock), keys);
        PasskeyCheck passkeys = new PasskeyCheck(store, challenges, clock);
        this.factors = new Factors(store, passwords, passkeys, recorder, clock);
        this.signIns =
                new SignIns(
                        access,
                        new SignIns.Parts(
                                store, sessions, invitations, passwords, passkeys, factors),
                        recorder);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindJournal(Journal arrived, Map<String, Object> properties) {
        journal.add(arrived, properties);
    }

    void unbindJournal(Journal leaving) {
        journal.remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindKeys(Keys arrived, Map<String, Object> properties) {
        keys.add(arrived, properties);
    }

    void unbindKeys(Keys leaving) {
        keys.remove(leaving);
    }

    @Override
    public boolean empty() {
        return administration.empty();
    }

    @Override
    public Invitation invite(Authorized permit, String name, Set<String> groups) {
        return administration.invite(permit, name, groups);
    }

    @Override
    public List<AccountView> accounts(Permit permit) {
        return administration.list(permit);
    }

    @Override
    public AccountView account(Permit permit) {
        return administration.read(permit);
    }

    @Override
    public AccountView setDisabled(Authorized permit, boolean disabled) {
        return administration.setDisabled(permit, disabled);
    }

    @Override
    public AccountView setGroups(Authorized permit, Set<String> groups) {
        return administration.setGroups(permit, groups);
    }

    @Override
    public void remove(Authorized permit) {
        administration.remove(permit);
    }

    @Override
    public List<ConsoleSession> sessions(Permit permit) {
        permit.requireFor("access.session.list", clock.getAsLong());
        return sessions.list(permit.resource().isEmpty() ? "" : AccountAdministration.name(permit));
    }

    @Override
    public void endSession(Authorized permit, String owner) {
        permit.permit().requireFor("access.session.end", clock.getAsLong());
        sessions.end(AccountAdministration.sessionId(permit.permit()), permit, owner);
    }

    @Override
    public AccountView invited(String invitation) {
        return signIns.invited(invitation).view(clock.getAsLong());
    }

    @Override
    public IssuedSession accept(
            String invitation, NewFactor factor, SignInClient client, SessionTimes times) {
        return signIns.accept(invitation, factor, client, times);
    }

    @Override
    public PasskeyChallenge challenge(SignInClient client) {
        return signIns.challenge(client);
    }

    @Override
    public PasskeyChallenge challengeForInvited(String invitation, SignInClient client) {
        return signIns.challengeForInvited(invitation, client);
    }

    @Override
    public PasskeyChallenge challengeFor(
            String sessionSecret, boolean forNew, SignInClient client) {
        return signIns.challengeFor(sessionSecret, forNew, client);
    }

    @Override
    public IssuedSession signIn(SignInProof proof, SignInClient client, SessionTimes times) {
        return signIns.signIn(proof, client, times);
    }

    @Override
    public ConsoleSession session(String sessionSecret, boolean active) {
        return sessions.look(sessionSecret, active);
    }

    @Override
    public ConsoleSession prove(String sessionSecret, SignInProof proof, SignInClient client) {
        return signIns.prove(sessionSecret, proof, client);
    }

    @Override
    public AccountView change(
            Authorized permit, String sessionSecret, NewFactor factor, SignInClient client) {
        String session = sessions.look(sessionSecret, false).sessionId();
        return factors.change(permit, session, factor, client);
    }

    @Override
    public AccountView renamePasskey(Authorized permit, String passkeyId, String label) {
        return factors.rename(permit, passkeyId, label);
    }

    @Override
    public AccountView removePasskey(Authorized permit, String passkeyId) {
        return factors.remove(permit, passkeyId);
    }
}
