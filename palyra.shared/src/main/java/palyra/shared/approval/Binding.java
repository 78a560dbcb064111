package palyra.shared.approval;

import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * The binding of an approval to one call: SHA-256 over tag {@code palyra.approval.binding.v1} ‖
 * lp(tool) ‖ lp(input as RFC 8785 JSON) ‖ lp(digest of the facts) ‖ lp(tier) ‖ lp(egress). The
 * facts hold the resolved program, its digest and the working folder. Two calls with the same
 * binding do the same thing in the same kind of sandbox. Pure.
 */
public final class Binding {
    private static final String TAG = "palyra.approval.binding.v1";

    private Binding() {}

    /**
     * Returns the digest as lower-case hex.
     *
     * @param inputJson the input as the model wrote it; strictly parsed
     * @param factsSha256 digest of the facts, see {@code palyra.shared.tool.FactsDigest}
     * @param tier kind of sandbox, {@code A}, {@code B} or {@code C}
     * @param egress {@code NONE}, {@code PREFLIGHT} or {@code STRICT}
     */
    public static String sha256(
            String tool, String inputJson, String factsSha256, String tier, String egress) {
        String input = Jcs.text(StrictJson.parse(inputJson, "the input of " + tool));
        return Digests.hex(
                Digests.tagged(TAG).lp(tool).lp(input).lp(factsSha256).lp(tier).lp(egress).bytes());
    }
}
