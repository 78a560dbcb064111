package palyra.sandbox.internal.egress;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.InetAddress;
import java.util.List;
import palyra.api.access.Permit;

/** What the journal keeps of connections. Never a path, a query, a header or a body. */
final class ConnectionRecord {
    static final String CONNECT = "network_connect";
    static final String CLOSED = "network_closed";
    static final String ALLOW = "allow";
    static final String DENY = "deny";

    private ConnectionRecord() {}

    /** A connection that is about to be made. */
    static ObjectNode allowed(
            String id, ConnectionRequest request, Permit permit, List<InetAddress> addresses) {
        ObjectNode entry = of(id, request);
        entry.put("verdict", ALLOW);
        entry.put("reason", permit.reason());
        entry.put("permitId", permit.permitId());
        entry.put("source", permit.source().name());
        ArrayNode all = entry.putArray("addresses");
        addresses.forEach(address -> all.add(IpLiterals.text(address)));
        return entry;
    }

    /**
     * A connection that is not made.
     *
     * @param unrecorded denials before it that were too many to be recorded one by one
     */
    static ObjectNode denied(
            String id, ConnectionRequest request, Reason code, String reason, long unrecorded) {
        ObjectNode entry = of(id, request);
        entry.put("verdict", DENY);
        entry.put("reasonCode", code.label());
        entry.put("reason", DisplayText.text(reason));
        if (unrecorded > 0) {
            entry.put("unrecordedBefore", unrecorded);
        }
        return entry;
    }

    /**
     * A connection that is over.
     *
     * @param address address that was connected to; empty when none answered
     * @param outcome {@code ended}, {@code failed} or {@code cut}
     */
    static ObjectNode closed(
            String id,
            ConnectionRequest request,
            String address,
            String outcome,
            String reason,
            Amounts amounts) {
        ObjectNode entry = of(id, request);
        entry.put("verdict", ALLOW);
        entry.put("address", address);
        entry.put("outcome", outcome);
        entry.put("reason", DisplayText.text(reason));
        entry.put("bytesUp", Long.toString(amounts.up()));
        entry.put("bytesDown", Long.toString(amounts.down()));
        entry.put("durationMillis", amounts.millis());
        return entry;
    }

    /** How much went through a connection, and how long it was open. */
    record Amounts(long up, long down, long millis) {}

    private static ObjectNode of(String id, ConnectionRequest request) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("connectionId", id)
                .put("principal", request.caller().principal())
                .put("agent", request.caller().agent())
                .put("runId", request.caller().runId())
                .put("callId", request.caller().callId())
                .put("purpose", request.caller().purpose())
                .put("host", request.host().text())
                .put("port", request.port())
                .put("method", request.method());
    }
}
