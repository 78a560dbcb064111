package palyra.channels.internal.inbound;

import java.util.Set;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.channel.ConnectorId;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.channels.internal.route.SenderNames;
import palyra.shared.approval.PairingApprovals;
import palyra.shared.gate.Gate;

/** Speaks for senders, as far as policy lets a connector. Thread-safe. */
public final class Speakers {
    /** What a connector does for senders; {@code access.speak_for} has to be named exactly. */
    private static final Set<String> SCOPES =
            Set.of(
                    "access.speak_for",
                    "run.*",
                    "session.*",
                    "tape.*",
                    "approval.*",
                    "agent.read",
                    "agent.bind",
                    PairingApprovals.ACTION);

    private final Gate<Access> access;

    /** Creates it behind a gate. */
    public Speakers(Gate<Access> access) {
        this.access = access;
    }

    /**
     * Returns the connector's own principal, whose credential is that an operator configured it.
     */
    static Principal own(ConnectorId connector) {
        return new Principal(
                SenderNames.connector(connector),
                PrincipalKind.SERVICE,
                Set.of("integrator"),
                SCOPES,
                "connector:" + connector);
    }

    /** Asks policy about something that is not done yet. DENIED, POLICY_UNAVAILABLE. */
    public void require(AccessRequest question) {
        access.call(present -> present.authorizeRead(question));
    }

    /** Returns another principal that the connector speaks for. DENIED, POLICY_UNAVAILABLE. */
    public Principal speakFor(ConnectorId connector, String principal) {
        return access.call(present -> present.speakFor(own(connector), principal));
    }
}
