package palyra.gateway.internal.engine.tool;

import java.util.Base64;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.core.keys.Keys;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.engine.run.WorkerFlags;
import palyra.gateway.internal.engine.run.WorkerStopped;
import palyra.shared.fold.Call;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.tape.Attestations;

/** Makes the signed statement that follows an output. */
final class Attester {
    private final Gate<Keys> keys;
    private final Ulids ids;
    private final WorkerFlags flags;

    Attester(Gate<Keys> keys, Ulids ids, WorkerFlags flags) {
        this.keys = keys;
        this.ids = ids;
        this.flags = flags;
    }

    /**
     * Signs the output on the tape, however long the key store is absent: a call that ran is not
     * forgotten for want of a signature.
     *
     * @param withheld whether the tape keeps the input sealed: the statement is over its digest
     */
    TapeEvent.ToolAttestation attest(
            Call call, boolean withheld, TapeEvent.ToolCallOutput output, ToolOutcome outcome) {
        String policy = call.decision() == null ? "" : call.decision().snapshotSha256();
        byte[] digest =
                Attestations.executionSha256(
                        withheld ? Attestations.withheld(call.proposal()) : call.proposal(),
                        output,
                        outcome.executor(),
                        outcome.sandboxEnforcement(),
                        outcome.startedAtMillis(),
                        policy,
                        outcome.executableSha256());
        KeySignature signature = sign(digest);
        return new TapeEvent.ToolAttestation(
                ids.next(),
                call.callId(),
                outcome.executor(),
                outcome.sandboxEnforcement(),
                outcome.startedAtMillis(),
                outcome.outcome() == TapeEvent.Outcome.TIMED_OUT,
                policy,
                outcome.executableSha256(),
                Digests.hex(digest),
                signature.keyId(),
                Base64.getUrlEncoder().withoutPadding().encodeToString(signature.signature()));
    }

    private KeySignature sign(byte[] digest) {
        while (true) {
            try {
                return keys.call(k -> k.sign(KeyPurpose.ATTESTATION, digest));
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.KEYS_UNAVAILABLE) {
                    throw e;
                }
                if (flags.stopping()) {
                    throw new WorkerStopped(
                            "the engine stops while there are no keys; the executor keeps the"
                                    + " outcome");
                }
            }
        }
    }
}
