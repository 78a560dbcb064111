package palyra.config.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.TreeSet;
import palyra.api.PalyraException;
import palyra.api.core.journal.Document;
import palyra.api.core.journal.Operation;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/** Converts changes to and from journal records. Pure functions. */
final class ChangeRecord {
    static final String COLLECTION = "configuration_source";
    static final String STREAM = "journal";
    static final String CHANGED = "configuration_changed";
    static final String LOST = "configuration_changes_lost";
    static final String PRINCIPAL_FILES = "local-files";
    static final String PRINCIPAL_COMMAND_LINE = "command-line";

    private ChangeRecord() {}

    /** Returns the removal of the file of a document; empty when the document names no file. */
    static Optional<Change> removed(Document document) {
        int slash = document.key().indexOf('/');
        String label = document.key().substring(0, Math.max(slash, 0));
        String file = document.key().substring(slash + 1);
        Optional<Target> target = Target.parse(content(document).path("pid").asText());
        for (Layer layer : Layer.values()) {
            if (layer.label().equals(label) && target.isPresent()) {
                return Optional.of(
                        new Change(new Source.Id(layer, file), target.get(), "", new TreeSet<>()));
            }
        }
        return Optional.empty();
    }

    static String digest(Document document) {
        return content(document).path("sha256").asText();
    }

    /** A document with foreign content counts as empty, so that it does not block the others. */
    private static JsonNode content(Document document) {
        try {
            return StrictJson.parse(document.content(), "configuration record");
        } catch (PalyraException e) {
            return MissingNode.getInstance();
        }
    }

    static Operation document(Change change) {
        if (change.removed()) {
            return new Operation.DeleteDocument(COLLECTION, key(change.source()));
        }
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        content.put("pid", change.target().toString());
        content.put("sha256", change.sha256());
        return new Operation.PutDocument(COLLECTION, key(change.source()), Jcs.bytes(content));
    }

    static Operation.Append event(String type, byte[] payload) {
        return new Operation.Append(STREAM, type, 1, payload);
    }

    /** Returns the event's payload. */
    static byte[] payload(Change change) {
        ObjectNode payload = JsonNodeFactory.instance.objectNode();
        boolean override = change.source().layer() == Layer.OVERRIDE;
        payload.put("principal", override ? PRINCIPAL_COMMAND_LINE : PRINCIPAL_FILES);
        payload.put("pid", change.target().toString());
        payload.put("layer", change.source().layer().label());
        payload.put("file", change.source().file());
        payload.put("sha256", change.sha256());
        payload.put("removed", change.removed());
        change.keys().forEach(payload.putArray("keys")::add);
        return Jcs.bytes(payload);
    }

    static byte[] lostPayload(long lost) {
        ObjectNode payload = JsonNodeFactory.instance.objectNode();
        payload.put("principal", PRINCIPAL_FILES);
        payload.put("count", lost);
        return Jcs.bytes(payload);
    }

    static String key(Source.Id id) {
        return id.layer().label() + "/" + id.file();
    }
}
