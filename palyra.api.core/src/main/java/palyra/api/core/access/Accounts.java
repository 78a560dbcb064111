package palyra.api.core.access;

import java.util.List;
import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.access.Permit;

/**
 * Accounts of people at the console, what proves who they are, and their sessions. Thread-safe.
 *
 * <p>A session is an API token with a mark: kept as a digest, with an end, listed and revoked with
 * the others. It is looked up at each request, and refused at once when it was revoked, when its
 * account is disabled or removed, or when the account lost a group that the session has. It is no
 * API token for other surfaces.
 *
 * <p>Refusals of a proof, a session or an invitation are UNAUTHENTICATED, with one sentence for
 * every cause. RESOURCE_EXHAUSTED says that there were too many wrong attempts and how many seconds
 * to wait. Every method may throw JOURNAL_UNAVAILABLE and KEYS_UNAVAILABLE.
 *
 * <p>Resources of permits are {@code principal:user:NAME} for an account and {@code token:ID} for a
 * session; one for another resource is DENIED.
 */
@ProviderType
public interface Accounts {
    /** Returns whether there is no account yet whose person could sign in. */
    boolean empty();

    /**
     * Makes an account, or opens one that exists, for a new factor: by an invitation of 15 minutes
     * that counts once. An earlier invitation ends.
     *
     * @param permit for {@code access.account.invite}
     * @param name 1 to 64 of a to z, digits and . _ -, beginning with a letter
     * @param groups groups from now on; empty keeps those of an account that exists
     * @throws palyra.api.PalyraException DENIED when the account would have or has groups beyond
     *     those of the permit's principal; INVALID_ARGUMENT
     */
    Invitation invite(Authorized permit, String name, Set<String> groups);

    /** Returns every account by name. Permit for {@code access.account.list}. */
    List<AccountView> accounts(Permit permit);

    /** Returns one account. Permit for {@code access.account.read} on it. NOT_FOUND. */
    AccountView account(Permit permit);

    /** Refuses an account from now on, or no more. Permit for {@code access.account.update}. */
    AccountView setDisabled(Authorized permit, boolean disabled);

    /** Sets the groups of an account. Permit for {@code access.account.update}. */
    AccountView setGroups(Authorized permit, Set<String> groups);

    /** Removes an account with its sessions. Permit for {@code access.account.remove}. */
    void remove(Authorized permit);

    /**
     * Returns the sessions that have not ended, newest first. Permit for {@code
     * access.session.list}, on an account or, for those of every account, on nothing.
     */
    List<ConsoleSession> sessions(Permit permit);

    /**
     * Ends a session at once. Permit for {@code access.session.end} on it.
     *
     * @param owner principal that the permit's request named as its owner
     * @throws palyra.api.PalyraException NOT_FOUND when that principal has no such session
     */
    void endSession(Authorized permit, String owner);

    /** Returns the account that an open invitation is for. */
    AccountView invited(String invitation);

    /** Uses an invitation up: keeps the factor and begins a session. */
    IssuedSession accept(
            String invitation, NewFactor factor, SignInClient client, SessionTimes times);

    /** Returns a challenge for signing in with a passkey, bound to the client's address. */
    PasskeyChallenge challenge(SignInClient client);

    /** Returns a challenge for the first passkey of an invited person, bound to the invitation. */
    PasskeyChallenge challengeForInvited(String invitation, SignInClient client);

    /**
     * Returns a challenge bound to a session.
     *
     * @param forNew whether it is for a new passkey, or to prove again who is there
     */
    PasskeyChallenge challengeFor(String sessionSecret, boolean forNew, SignInClient client);

    /**
     * Begins a session after a proof. The grant is the action {@code access.session.begin}, whose
     * record says factor, address and agent.
     *
     * @throws palyra.api.PalyraException DENIED when policies refuse it
     */
    IssuedSession signIn(SignInProof proof, SignInClient client, SessionTimes times);

    /**
     * Returns a session.
     *
     * @param active whether the person did something, which puts its idle end off
     */
    ConsoleSession session(String sessionSecret, boolean active);

    /**
     * Proves again who is there: the proof has to be of the session's own account.
     *
     * @return the session, proven now
     */
    ConsoleSession prove(String sessionSecret, SignInProof proof, SignInClient client);

    /**
     * Sets a password or adds a passkey. Permit for {@code access.factor.change} on the account.
     *
     * @param sessionSecret session that a passkey's challenge was bound to
     */
    AccountView change(
            Authorized permit, String sessionSecret, NewFactor factor, SignInClient client);

    /** Gives a passkey another label. Permit for {@code access.factor.change} on the account. */
    AccountView renamePasskey(Authorized permit, String passkeyId, String label);

    /**
     * Removes a passkey. Permit for {@code access.factor.change} on the account.
     *
     * @throws palyra.api.PalyraException CONFLICT when it is the account's only factor
     */
    AccountView removePasskey(Authorized permit, String passkeyId);
}
