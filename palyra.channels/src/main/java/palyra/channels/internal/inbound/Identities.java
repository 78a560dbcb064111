package palyra.channels.internal.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.channel.Conversation;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.outcome.Commits;

/**
 * Accounts of platforms that operators linked to principals, in the form that access control reads
 * (docs/formats.md, channel_identity).
 */
public final class Identities {
    private static final String COLLECTION = "channel_identity";
    private static final int PAGE = 500;

    private Identities() {}

    /**
     * A link.
     *
     * @param account principal of the account, {@code user:KIND:ACCOUNT:ID}
     * @param by operator who made it
     * @param connector connector of the account; empty in links of earlier versions
     * @param ask id of the direct conversation in which the person is asked for approvals; empty
     *     for not asked
     */
    public record Identity(
            String account,
            String principal,
            List<String> groups,
            String by,
            String connector,
            String ask) {
        /** Checks. */
        public Identity {
            Require.that(
                    principal.matches("user:[A-Za-z0-9._@-][A-Za-z0-9._:@-]{0,122}"),
                    "an account is linked to a person, such as user:anna, not to '"
                            + principal
                            + "'");
            if (!ask.isEmpty()) {
                Conversation.direct(ask); // checks the form
                Require.that(
                        groups.contains("approver"),
                        "only an approver is asked for approvals: add --approver");
            }
        }
    }

    /** Returns all links. */
    public static List<Identity> all(Gate<Journal> journal) {
        List<Identity> all = new ArrayList<>();
        String after = "";
        while (true) {
            String from = after;
            List<Document> page = journal.call(store -> store.documents(COLLECTION, from, PAGE));
            page.forEach(document -> all.add(read(document)));
            if (page.size() < PAGE) {
                return all;
            }
            after = page.getLast().key();
        }
    }

    /** Returns the link of an account; empty when it has none. */
    public static Optional<Identity> find(Gate<Journal> journal, String account) {
        return journal.call(store -> store.document(COLLECTION, account)).map(Identities::read);
    }

    private static Identity read(Document document) {
        JsonNode tree = StrictJson.parse(document.content(), "a linked identity");
        List<String> groups = new ArrayList<>();
        tree.path("groups").forEach(group -> groups.add(group.asText()));
        return new Identity(
                document.key(),
                tree.path("principal").asText(),
                groups,
                tree.path("by").asText(),
                tree.path("connector").asText(),
                tree.path("ask").asText());
    }

    /** Makes a link, in place of one of the same account. */
    public static void put(Gate<Journal> journal, Identity identity) {
        ObjectNode tree =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("principal", identity.principal())
                        .put("by", identity.by())
                        .put("connector", identity.connector())
                        .put("ask", identity.ask());
        ArrayNode groups = tree.putArray("groups");
        identity.groups().forEach(groups::add);
        Commits.commit(
                journal,
                Unit.of(
                        new Operation.PutDocument(
                                COLLECTION, identity.account(), Jcs.bytes(tree))));
    }

    /** Ends a link. NOT_FOUND. */
    public static void remove(Gate<Journal> journal, String account) {
        if (find(journal, account).isEmpty()) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "The account " + account + " is not linked; see identity list.");
        }
        Commits.commit(journal, Unit.of(new Operation.DeleteDocument(COLLECTION, account)));
    }
}
