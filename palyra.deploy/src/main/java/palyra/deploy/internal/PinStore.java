package palyra.deploy.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/** Pins that users made by command, as documents of the journal. Thread-safe. */
final class PinStore {
    static final String COLLECTION = "deploy_pin";
    static final String PIN = "deploy.pin";
    static final String UNPIN = "deploy.unpin";
    private static final int PAGE = 500;

    private final Gate<Journal> journal;
    private final Gate<Access> access;

    PinStore(Gate<Journal> journal, Gate<Access> access) {
        this.journal = journal;
        this.access = access;
    }

    /**
     * Returns all pins.
     *
     * @throws PalyraException when the journal is not available
     */
    List<PinSet.Entry> load() {
        List<PinSet.Entry> pins = new ArrayList<>();
        List<Document> page;
        String after = "";
        do {
            String from = after;
            page = journal.call(j -> j.documents(COLLECTION, from, PAGE));
            page.forEach(document -> read(document).ifPresent(pins::add));
            after = page.isEmpty() ? "" : page.get(page.size() - 1).key();
        } while (page.size() == PAGE);
        return pins;
    }

    /** A document with foreign content has no effect. */
    private static Optional<PinSet.Entry> read(Document document) {
        try {
            JsonNode content = StrictJson.parse(document.content(), "pin");
            return Pin.parse(document.key())
                    .map(
                            pin ->
                                    new PinSet.Entry(
                                            pin,
                                            PinSet.Entry.COMMAND,
                                            content.path("by").asText(),
                                            content.path("note").asText()));
        } catch (PalyraException e) {
            return Optional.empty();
        }
    }

    /** Stores a pin together with its permit. Idempotent. */
    void add(Principal principal, Pin pin, String note) {
        byte[] content =
                Jcs.bytes(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("by", principal.id())
                                .put("note", note));
        change(principal, PIN, pin, new Operation.PutDocument(COLLECTION, pin.toString(), content));
    }

    /** Removes a pin. */
    void remove(Principal principal, Pin pin) {
        change(principal, UNPIN, pin, new Operation.DeleteDocument(COLLECTION, pin.toString()));
    }

    private void change(Principal principal, String action, Pin pin, Operation operation) {
        AccessRequest request = new AccessRequest(principal, action, "pin:" + pin, "", Map.of());
        Authorized permit = access.call(service -> service.authorize(request));
        Unit unit = Unit.builder().add(permit.record()).add(operation).build();
        journal.run(service -> service.commit(unit));
    }
}
