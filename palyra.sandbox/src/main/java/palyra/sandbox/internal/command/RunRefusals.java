package palyra.sandbox.internal.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Supplier;
import palyra.api.PalyraException;
import palyra.shared.hash.Digests;

/**
 * Records what guards and policy refuse of one command of an operator, as {@code
 * sandbox_run_refused}: nothing of it was started. Not thread-safe.
 *
 * @param principal who gave the command
 * @param callId identifies it, also in its other records
 * @param tool the tool that a call of an agent would have
 * @param inputJson what that call would be given; recorded is its digest
 */
record RunRefusals(
        RunRecords records, String principal, String callId, String tool, String inputJson) {
    /** A guard refuses: the command itself, its arguments, its workspace. */
    static final String GUARD = "guard";

    /**
     * Policy denies the command, is unavailable, or requires an approval that the operator cannot
     * give.
     */
    static final String POLICY = "policy";

    /** Runs a step; a refusal is recorded durably before it is thrown to the caller. */
    <T> T recorded(String by, Supplier<T> step) {
        try {
            return step.get();
        } catch (PalyraException refusal) {
            throw written(by, refusal);
        }
    }

    /** Returns the refusal; a journal that does not take the record changes no answer. */
    private PalyraException written(String by, PalyraException refusal) {
        ObjectNode payload = JsonNodeFactory.instance.objectNode();
        payload.put("principal", principal);
        payload.put("callId", callId);
        payload.put("tool", tool);
        payload.put("inputSha256", Digests.sha256Hex(inputJson));
        payload.put("by", by);
        payload.put("code", refusal.code().name());
        payload.put("reason", refusal.getMessage());
        try {
            records.refused(callId, payload);
            return refusal;
        } catch (PalyraException unrecorded) {
            return new PalyraException(
                    refusal.code(),
                    refusal.getMessage()
                            + " This could not be recorded: "
                            + unrecorded.getMessage(),
                    refusal);
        }
    }
}
