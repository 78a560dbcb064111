package palyra.access.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import palyra.shared.hash.Digests;

/**
 * What makes a token a session of the console. The token's code covers it.
 *
 * @param accountId id of the account, which another account of the same name does not have
 * @param factor what it began with
 * @param address network address that it began from
 * @param agent browser that it began from
 * @param idleMillis how long it lasts without an action
 */
record SessionMark(String accountId, String factor, String address, String agent, long idleMillis) {
    /** The mark of an API token. */
    static final SessionMark NONE = new SessionMark("", "", "", "", 0);

    boolean isNone() {
        return accountId.isEmpty();
    }

    Digests addTo(Digests statement) {
        return statement.lp(accountId).lp(factor).lp(address).lp(agent).u64(idleMillis);
    }

    ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("accountId", accountId)
                .put("factor", factor)
                .put("address", address)
                .put("agent", agent)
                .put("idleMillis", idleMillis);
    }

    /** Reads a mark; a missing node gives none. */
    static SessionMark of(JsonNode node) {
        return new SessionMark(
                node.path("accountId").asText(),
                node.path("factor").asText(),
                node.path("address").asText(),
                node.path("agent").asText(),
                node.path("idleMillis").asLong());
    }
}
