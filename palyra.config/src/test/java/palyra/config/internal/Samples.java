package palyra.config.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.shared.hash.Digests;
import palyra.shared.json.StrictJson;

/** Schemas and sources that the tests share. */
final class Samples {
    static final String PID = "palyra.sample";

    private Samples() {}

    static Attribute attribute(String id, AttributeType type) {
        return new Attribute(
                id, type, 0, false, List.of(), List.of(), Attribute.Bounds.OPEN, value -> "");
    }

    static Attribute bounded(String id, AttributeType type, String min, String max) {
        return new Attribute(
                id,
                type,
                0,
                false,
                List.of(),
                List.of(),
                new Attribute.Bounds(min, max),
                value -> "");
    }

    static Attribute list(String id, AttributeType type, int limit) {
        return new Attribute(
                id, type, limit, false, List.of(), List.of(), Attribute.Bounds.OPEN, value -> "");
    }

    static Attribute choice(String id, String... options) {
        return new Attribute(
                id,
                AttributeType.STRING,
                0,
                false,
                List.of(options[0]),
                List.of(options),
                Attribute.Bounds.OPEN,
                value -> "");
    }

    static Attribute required(String id) {
        return new Attribute(
                id,
                AttributeType.STRING,
                0,
                true,
                List.of(),
                List.of(),
                Attribute.Bounds.OPEN,
                value -> "");
    }

    static Schema schema(String pid, boolean factory, Attribute... attributes) {
        Map<String, Attribute> byId = new HashMap<>();
        for (Attribute attribute : attributes) {
            byId.put(attribute.id(), attribute);
        }
        return new Schema(pid, "palyra.sample.bundle", factory, byId);
    }

    /** The schema that most tests use. */
    static Schema schema() {
        return schema(
                PID,
                false,
                bounded("port", AttributeType.INTEGER, "1", "65535"),
                bounded("name", AttributeType.STRING, "2", "10"),
                attribute("enabled", AttributeType.BOOLEAN),
                attribute("token", AttributeType.PASSWORD),
                attribute("ratio", AttributeType.DOUBLE),
                attribute("bytes", AttributeType.LONG),
                choice("mode", "calm", "brisk"),
                list("hosts", AttributeType.STRING, 3),
                list("ports", AttributeType.INTEGER, Integer.MAX_VALUE));
    }

    static Source source(Layer layer, String target, String json) {
        Target parsed = Target.parse(target).orElseThrow();
        return new Source(
                new Source.Id(layer, parsed.fileName()),
                parsed,
                Digests.sha256Hex(json),
                new Source.Json((ObjectNode) StrictJson.parse(json, "sample")));
    }

    static Source shipped(String json) {
        return source(Layer.SHIPPED, PID, json);
    }

    static Source operator(String json) {
        return source(Layer.OPERATOR, PID, json);
    }

    /** A catalogue whose content a test changes. */
    static final class FakeCatalogue implements Catalogue {
        private final Map<String, Schema> schemas = new HashMap<>();
        private final Map<String, Schema> unseen = new HashMap<>();
        private boolean changed;

        FakeCatalogue(Schema... initial) {
            for (Schema schema : initial) {
                schemas.put(schema.pid(), schema);
            }
        }

        synchronized void declare(Schema schema) {
            schemas.put(schema.pid(), schema);
            changed = true;
        }

        /** As {@link #declare}, but it shows only after the next refresh. */
        synchronized void declareUnseen(Schema schema) {
            unseen.put(schema.pid(), schema);
            changed = true;
        }

        synchronized void withdraw(String pid) {
            schemas.remove(pid);
            changed = true;
        }

        @Override
        public synchronized Optional<Schema> schema(String pid) {
            return Optional.ofNullable(schemas.get(pid));
        }

        @Override
        public synchronized Set<String> pids() {
            return Set.copyOf(schemas.keySet());
        }

        @Override
        public synchronized boolean refresh() {
            boolean was = changed;
            changed = false;
            schemas.putAll(unseen);
            unseen.clear();
            return was;
        }
    }
}
