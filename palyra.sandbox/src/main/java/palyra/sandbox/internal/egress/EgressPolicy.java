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
import palyra.api.core.egress.EgressContext;
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
    Permit permit(ConnectionRequest connectionRequest) {
        AccessRequest request =
                new AccessRequest(
                        principal(connectionRequest.caller()),
                        ACTION,
                        "host:" + connectionRequest.host().text(),
                        "",
                        facts(connectionRequest));
        try {
            Permit permit = access.call(present -> present.authorizeRead(request));
            permit.requireFor(ACTION, System.currentTimeMillis());
            return permit;
        } catch (PalyraException e) {
            boolean no = e.code() == ErrorCode.DENIED;
            throw new RefusedException(
                    no ? Reason.POLICY : Reason.POLICY_UNAVAILABLE,
                    no ? ErrorCode.DENIED : ErrorCode.POLICY_UNAVAILABLE,
                    notAllowed(connectionRequest) + e.getMessage(),
                    e);
        } catch (RuntimeException e) {
            LOG.error("The policy request for a connection failed.", e);
            throw new RefusedException(
                    Reason.POLICY_UNAVAILABLE,
                    ErrorCode.POLICY_UNAVAILABLE,
                    "A connection to "
                            + connectionRequest.hostAndPort()
                            + " is refused because the policy request failed.",
                    e);
        }
    }

    /** Returns the refusal of a request for which access control is not waited for. */
    static RefusedException absent(ConnectionRequest request) {
        return new RefusedException(
                Reason.POLICY_UNAVAILABLE,
                ErrorCode.POLICY_UNAVAILABLE,
                notAllowed(request) + "Access control is not available now.");
    }

    private static String notAllowed(ConnectionRequest request) {
        return "A connection to " + request.hostAndPort() + " is not allowed: ";
    }

    /** Returns whether access control is there to be asked. */
    boolean isPresent() {
        return access.isPresent();
    }

    private static Principal principal(EgressContext caller) {
        return new Principal(
                caller.principal(),
                kind(caller.principal()),
                caller.groups(),
                Set.of(),
                caller.callId());
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

    private static Map<String, String> facts(ConnectionRequest connectionRequest) {
        Map<String, String> facts = new HashMap<>();
        facts.put("port", Integer.toString(connectionRequest.port()));
        facts.put("maxBytes", Long.toString(connectionRequest.maxBytes()));
        facts.put("method", connectionRequest.method());
        facts.put("purpose", connectionRequest.caller().purpose());
        facts.put("agent", connectionRequest.caller().agent());
        facts.put("run", connectionRequest.caller().runId());
        facts.put("call", connectionRequest.caller().callId());
        facts.values().removeIf(String::isEmpty);
        return facts;
    }
}
