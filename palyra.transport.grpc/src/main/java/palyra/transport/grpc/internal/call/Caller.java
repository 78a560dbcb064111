package palyra.transport.grpc.internal.call;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;

/**
 * Who makes a call. Immutable.
 *
 * @param principal for whom; as the credential said when the call began
 * @param deviceId from which device, a ULID; empty when not said
 * @param channel from which channel; empty when not said
 * @param proof what established the principal
 */
public record Caller(Principal principal, String deviceId, String channel, Proof proof) {
    /** A credential that can be looked up again. Equal when credential and principal are. */
    public interface Proof {
        /**
         * Authenticates the credential again. Blocks until there is an answer, for some seconds at
         * most.
         *
         * @throws PalyraException UNAUTHENTICATED when the credential counts no longer, DENIED when
         *     it may speak for the principal no longer; POLICY_UNAVAILABLE, JOURNAL_UNAVAILABLE
         */
        Principal principal();

        /**
         * Asks access control whether the credential still counts, without deciding anything that
         * is recorded. Blocks and throws as {@link #principal}.
         */
        void check();
    }

    /** Checks. */
    public Caller {
        Require.present(principal, "principal");
        deviceId = Require.orEmpty(deviceId);
        channel = Require.orEmpty(channel);
        Require.present(proof, "proof");
    }

    /**
     * Looks the credential up again: before a client's message in a long stream changes something.
     * Never under a lease.
     *
     * @return the same caller, with what the principal may be now
     * @throws PalyraException as {@link Proof#principal}
     */
    public Caller reauthenticate() {
        Principal now = proof.principal();
        if (!now.id().equals(principal.id())) {
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED,
                    "The credential of this stream now belongs to another principal; open a new stream.");
        }
        return new Caller(now, deviceId, channel, proof);
    }
}
