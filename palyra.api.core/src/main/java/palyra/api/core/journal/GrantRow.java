package palyra.api.core.journal;

import palyra.api.Require;

/**
 * A grant: the calls that an approval covers.
 *
 * @param grantId ULID
 * @param approvalId approval request that created it
 * @param sessionId session within which it covers calls; empty means any of the principal's
 * @param principal on whose behalf calls are covered
 * @param agentId agent whose calls are covered
 * @param tool tool whose calls are covered
 * @param callId the only call that it covers; empty means any that fits
 * @param payload what it covers, as canonical JSON; not copied
 * @param expiresAtMillis unix time in milliseconds after which it covers nothing; 0 means never;
 *     while it is ACTIVE, it moves along when the system's clock jumps
 * @param maxUses how many starts; 0 means any number
 * @param uses how many starts used it
 * @param endedBy principal that revoked it; empty otherwise
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as stored
public record GrantRow(
        String grantId,
        String approvalId,
        String sessionId,
        String principal,
        String agentId,
        String tool,
        String callId,
        State state,
        byte[] payload,
        long createdAtMillis,
        long expiresAtMillis,
        int maxUses,
        int uses,
        long endedAtMillis,
        String endedBy) {
    /** The state of a grant. An expired grant may still be ACTIVE. */
    public enum State {
        /** It covers calls. */
        ACTIVE,
        /** Its starts were used. */
        EXHAUSTED,
        /**
         * It expired, its session was archived, or its only call ended or got another approval
         * request.
         */
        EXPIRED,
        /** It was revoked. */
        REVOKED
    }

    /** Checks. */
    public GrantRow {
        Require.text(grantId, "grant id");
        Require.text(approvalId, "approval id");
        sessionId = Require.orEmpty(sessionId);
        Require.text(principal, "principal");
        agentId = Require.orEmpty(agentId);
        Require.text(tool, "tool");
        callId = Require.orEmpty(callId);
        Require.present(state, "state");
        Require.present(payload, "payload");
        Require.that(maxUses >= 0, "a grant covers " + maxUses + " starts: use 0 for any number");
        endedBy = Require.orEmpty(endedBy);
    }

    /** Returns a grant that is to begin; the store assigns its time. */
    public static GrantRow begin(
            String grantId,
            String approvalId,
            String sessionId,
            String principal,
            String agentId,
            String tool,
            String callId,
            byte[] payload,
            long expiresAtMillis,
            int maxUses) {
        return new GrantRow(
                grantId,
                approvalId,
                sessionId,
                principal,
                agentId,
                tool,
                callId,
                State.ACTIVE,
                payload,
                0,
                expiresAtMillis,
                maxUses,
                0,
                0,
                "");
    }
}
