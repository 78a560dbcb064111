package palyra.shared.access;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;

/**
 * What access control is asked about something that a tool call does. Pure.
 *
 * @param principal on whose behalf
 * @param groups groups of the principal
 * @param agent agent; may be empty
 * @param runId run; may be empty
 * @param callId call; may be empty
 * @param purpose what for, such as the name of the tool
 */
public record CallQuestion(
        String principal,
        Set<String> groups,
        String agent,
        String runId,
        String callId,
        String purpose) {
    /** Returns the principal of the call. */
    public Principal who() {
        return new Principal(principal, kind(), groups, Set.of(), callId);
    }

    /** As in {@code palyra.access}: a name without a known beginning is a program's. */
    private PrincipalKind kind() {
        if (principal.startsWith("user:")) {
            return PrincipalKind.USER;
        }
        if (principal.startsWith("device:")) {
            return PrincipalKind.DEVICE;
        }
        boolean own = principal.equals("system") || principal.startsWith("system:");
        return own ? PrincipalKind.SYSTEM : PrincipalKind.SERVICE;
    }

    /**
     * Returns the question.
     *
     * @param owner principal that the resource belongs to; empty for none
     * @param more further facts
     */
    public AccessRequest about(
            String action, String resource, String owner, Map<String, String> more) {
        Map<String, String> facts = new HashMap<>(more);
        facts.put("purpose", purpose);
        facts.put("agent", agent);
        facts.put("run", runId);
        facts.put("call", callId);
        facts.values().removeIf(String::isEmpty);
        return new AccessRequest(who(), action, resource, owner, facts);
    }
}
