package palyra.sandbox.internal.egress;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.egress.EgressCircumstances;
import palyra.shared.gate.Gate;

/**
 * Asks policy about each connection: action {@code network.connect}, resource {@code host:NAME},
 * with the facts {@code port}, {@code maxBytes}, {@code method}, {@code purpose}, {@code agent},
 * {@code run} and {@code call}. Without an answer the connection is refused.
 */
final class EgressPolicy {
    static final String ACTION = "network.connect";

    private static final Logger LOG = LoggerFactory.getLogger(EgressPolicy.class);

    private final Gate<Access> access;

    EgressPolicy(Gate<Access> access) {
        this.access = access;
    }

    /**
     * Returns the permit.
     *
     * @throws RefusedException when policy says no, or nothing
     */
    Permit permit(Ask ask) {
        AccessRequest request =
                new AccessRequest(
                        principal(ask.who()), ACTION, "host:" + ask.host().text(), "", facts(ask));
        try {
            Permit permit = access.call(present -> present.authorizeRead(request));
            permit.requireFor(ACTION, System.currentTimeMillis());
            return permit;
        } catch (PalyraException e) {
            boolean no = e.code() == ErrorCode.DENIED;
            throw new RefusedException(
                    no ? Reason.POLICY : Reason.POLICY_UNAVAILABLE,
                    no ? ErrorCode.DENIED : ErrorCode.POLICY_UNAVAILABLE,
                    "A connection to "
                            + ask.place()
                            + " is not allowed: "
                            + e.getMessage(),
                    e);
        } catch (RuntimeException e) {
            LOG.error("The policy request for a connection failed.", e);
            throw new RefusedException(
                    Reason.POLICY_UNAVAILABLE,
                    ErrorCode.POLICY_UNAVAILABLE,
                    "A connection to "
                            + ask.place()
                            + " is refused because the policy request failed.",
                    e);
        }
    }

    private static Principal principal(EgressCircumstances who) {
        return new Principal(
                who.principal(), kind(who.principal()), who.groups(), Set.of(), who.callId());
    }

    /** As in {@code palyra.access}: a name without a known beginning is a program's. */
    private static PrincipalKind kind(String id) {
        if (id.startsWith("user:")) {
            return PrincipalKind.USER;
        }
        if (id.startsWith("device:")) {
            return PrincipalKind.DEVICE;
        }
        boolean own = id.equals("system") || id.startsWith("system:");
        return own ? PrincipalKind.SYSTEM : PrincipalKind.SERVICE;
    }

    private static Map<String, String> facts(Ask ask) {
        Map<String, String> facts = new HashMap<>();
        facts.put("port", Integer.toString(ask.port()));
        facts.put("maxBytes", Long.toString(ask.maxBytes()));
        facts.put("method", ask.method());
        facts.put("purpose", ask.who().purpose());
        facts.put("agent", ask.who().agent());
        facts.put("run", ask.who().runId());
        facts.put("call", ask.who().callId());
        facts.values().removeIf(String::isEmpty);
        return facts;
    }
}
