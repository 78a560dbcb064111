package palyra.sandbox.internal.process;

import palyra.api.tool.ToolInvocation;
import palyra.shared.hash.Digests;

/** Names of runs in a sandbox, made of those of tool calls. */
final class CallIds {
    private static final String USABLE = "[A-Za-z0-9._-]{1,64}";
    private static final int DIGITS = 40;

    private CallIds() {}

    /**
     * Returns the id of the call, with the attempt when it is not the first; a digest of both when
     * that is not usable for a sandbox.
     */
    static String of(ToolInvocation call) {
        return of(call.callId(), call.attempt());
    }

    static String of(String callId, int attempt) {
        String id = callId + (attempt == 1 ? "" : "." + attempt);
        return id.matches(USABLE) ? id : "c-" + Digests.sha256Hex(id).substring(0, DIGITS);
    }
}
