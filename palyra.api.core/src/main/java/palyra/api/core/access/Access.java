package palyra.api.core.access;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.osgi.annotation.versioning.ProviderType;
import palyra.api.access.Permit;
import palyra.api.access.Principal;

/**
 * Authenticates callers and authorizes their actions: the only enforcement point. Thread-safe.
 * Without a decision the request is denied.
 *
 * <p>Groups: {@code operator} may do everything; {@code approver} decides approvals and reads;
 * {@code integrator} starts and steers its own runs and appends events; {@code viewer} reads what
 * is its own.
 */
@ProviderType
public interface Access {
    /**
     * Returns the principal of a credential. Scopes, expiry and revocation are looked up each time:
     * a revoked token is refused at once.
     *
     * @throws palyra.api.PalyraException UNAUTHENTICATED, with the same sentence for every fault of
     *     a token; JOURNAL_UNAVAILABLE when tokens cannot be looked up
     */
    Principal authenticate(Credential credential);

    /**
     * Returns the principal that {@code speaker} may speak for, such as a connector for the sender
     * of a message. The result has no group that the speaker does not have, and never {@code
     * operator} or {@code approver}: a connector starts and reads the runs of others, and decides
     * nothing for them. Speaking for oneself changes nothing. A connector of this gateway speaks
     * for accounts of its platform: one that an operator linked to a principal is that principal,
     * with the groups of the link, which may be {@code approver} and never {@code operator}.
     *
     * @throws palyra.api.PalyraException DENIED unless {@code access.speak_for} is allowed;
     *     INVALID_ARGUMENT when the id is not usable; POLICY_UNAVAILABLE
     */
    Principal speakFor(Principal speaker, String principalId);

    /**
     * Authorizes a request whose effect is a change of the journal: the caller commits the returned
     * record with the change. A denial is recorded here.
     *
     * @throws palyra.api.PalyraException DENIED with the reason, POLICY_UNAVAILABLE
     */
    Authorized authorize(AccessRequest request);

    /**
     * Authorizes a request with an effect outside the journal: the permission is durable when this
     * returns. For actions of the emergency list (see {@link #breakGlassActions}) requested by the
     * local peer that owns the gateway, the request is permitted even without a decision or a
     * journal: the permit says {@code BREAK_GLASS} and is recorded in a synced file if the journal
     * cannot take it.
     */
    Permit authorizeAndRecord(AccessRequest request);

    /** Authorizes a read: only a denial is recorded. The emergency list applies. */
    Permit authorizeRead(AccessRequest request);

    /**
     * Returns whether a request would be allowed now, for what a surface shows: links, buttons,
     * lists. It is no permit, and nothing is recorded. Without a decision the answer is no.
     */
    default boolean wouldAllow(AccessRequest request) {
        return false;
    }

    /**
     * Returns one sentence that the record of a permit from the emergency list is not durable yet,
     * and why; empty when it is, or when the permit came another way. Only a permit to show the
     * status or the doctor's findings to the local peer that owns the gateway is given before its
     * record is durable; the record is written, with the time of the use, as soon as the journal or
     * the file takes it.
     */
    default Optional<String> recordWaits(Permit permit) {
        return Optional.empty();
    }

    /** Returns the fixed emergency list of actions. */
    Set<String> breakGlassActions();

    /**
     * Decides about a proposed tool call: budget, then allowlist, then capability, then policy. A
     * denial is returned, never thrown.
     */
    ToolPolicyDecision decideTool(ToolPolicyRequest question);

    /**
     * Creates a token. Its groups and scopes may not exceed those of the permit's principal.
     *
     * @param permit for {@code access.token.create}
     * @param ttlMillis how long it is valid; 0 means until revoked
     * @throws palyra.api.PalyraException DENIED when it would exceed the rights of its creator,
     *     INVALID_ARGUMENT
     */
    IssuedToken createToken(
            Authorized permit,
            String label,
            String principal,
            Set<String> groups,
            Set<String> scopes,
            long ttlMillis);

    /**
     * Revokes a token, at once; revoking twice changes nothing. NOT_FOUND for an unknown id. Permit
     * for {@code access.token.revoke}.
     */
    TokenView revokeToken(Authorized permit, String tokenId);

    /**
     * Returns every token, newest first, revoked ones included. Permit for {@code
     * access.token.list}.
     */
    List<TokenView> tokens(Permit permit);
}
