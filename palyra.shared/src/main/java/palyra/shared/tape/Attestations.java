package palyra.shared.tape;

import java.util.List;
import palyra.api.tape.TapeEvent;
import palyra.api.tool.ToolImage;
import palyra.shared.hash.Digests;

/**
 * The signed digest of an attestation: SHA-256 over tag {@code palyra.tool.attestation.v2} ‖
 * lp(callId) ‖ lp(tool) ‖ lp(input) ‖ success byte ‖ lp(output) ‖ lp(error) ‖ timed-out byte ‖
 * lp(executor) ‖ lp(sandboxEnforcement) ‖ i64(executedAtMillis) ‖ lp(policySha256) ‖
 * lp(executableSha256). Texts are UTF-8 as stored on the tape, digests lower-case hex. The input of
 * a call whose exact input the tape keeps sealed is the text {@code sha256:} ‖ the digest of the
 * exact input, which {@code tool_started} has too: the statement is verified without opening
 * anything.
 */
public final class Attestations {
    private Attestations() {}

    /** Returns a proposal with the attested placeholder in place of a sealed exact input. */
    public static TapeEvent.ToolCallProposal withheld(TapeEvent.ToolCallProposal exact) {
        return withheld(exact, Digests.sha256Hex(exact.inputJson()));
    }

    /** The same with only the digest of the exact input, lower-case hex. */
    public static TapeEvent.ToolCallProposal withheld(
            TapeEvent.ToolCallProposal proposal, String inputSha256) {
        return new TapeEvent.ToolCallProposal(
                proposal.callId(),
                proposal.turn(),
                proposal.index(),
                proposal.tool(),
                "sha256:" + inputSha256);
    }

    /** Returns the execution digest, 32 bytes, from the records on the tape. */
    public static byte[] executionSha256(
            TapeEvent.ToolCallProposal proposal,
            TapeEvent.ToolCallOutput output,
            String executor,
            String sandboxEnforcement,
            long executedAtMillis,
            String policySha256,
            String executableSha256) {
        List<ToolImage> images = output.images();
        Digests digest =
                Digests.tagged("palyra.tool.attestation." + (images.isEmpty() ? "v2" : "v3"))
                        .lp(proposal.callId())
                        .lp(proposal.tool())
                        .lp(proposal.inputJson())
                        .u8(output.outcome() == TapeEvent.Outcome.SUCCEEDED ? 1 : 0)
                        .lp(output.outputJson())
                        .lp(output.error())
                        .u8(output.outcome() == TapeEvent.Outcome.TIMED_OUT ? 1 : 0)
                        .lp(executor)
                        .lp(sandboxEnforcement)
                        .u64(executedAtMillis)
                        .lp(policySha256)
                        .lp(executableSha256);
        images.forEach(image -> digest.lp(image.mediaType()).lp(image.data()));
        return digest.bytes();
    }
}
