package palyra.skills.internal.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import palyra.skills.internal.manifest.Manifest;
import palyra.skills.internal.manifest.ManifestReader;
import palyra.skills.internal.model.SkillId;

/**
 * The record of an installed version.
 *
 * @param origin where it came from
 * @param standing its state
 * @param audit what the last audit found
 * @param appeals notes of people who want it back, oldest first
 */
public record SkillRecord(Origin origin, Standing standing, Audit audit, List<String> appeals) {
    /** Row keys begin so; {@code skill@version} follows. */
    public static final String ROW = "skill/";

    /** Reason of a version that no operator has approved yet. */
    public static final String NOT_APPROVED = "not_approved";

    /** Copies. */
    public SkillRecord {
        appeals = List.copyOf(appeals);
    }

    /**
     * Origin of a version; never changes.
     *
     * @param id which
     * @param name for people
     * @param publisher who signed it
     * @param artifactSha256 digest of the file
     * @param payloadSha256 digest that was signed
     * @param keyHex key that signed it
     * @param decision why that key was trusted then
     * @param atMillis when it was installed
     * @param by who installed it
     * @param source what the file was called
     * @param compat which Palyra its manifest wants
     */
    public record Origin(
            SkillId id,
            String name,
            String publisher,
            String artifactSha256,
            String payloadSha256,
            String keyHex,
            String decision,
            long atMillis,
            String by,
            String source,
            Manifest.Compat compat) {}

    /**
     * State of a version.
     *
     * @param state state
     * @param reason code, such as {@code not_approved}; empty for active
     * @param detail sentence for people; may be empty
     * @param sinceMillis since when
     */
    public record Standing(SkillState state, String reason, String detail, long sinceMillis) {}

    /**
     * Result of the last audit.
     *
     * @param atMillis when; 0 for never
     * @param reasons ids of checks that failed
     * @param overridden ids of checks that an operator accepted to fail
     * @param overrideReason why
     * @param overrideBy who
     */
    public record Audit(
            long atMillis,
            List<String> reasons,
            List<String> overridden,
            String overrideReason,
            String overrideBy) {
        /** Copies. */
        public Audit {
            reasons = List.copyOf(reasons);
            overridden = List.copyOf(overridden);
        }

        /** Returns which of these failed checks no operator accepted. */
        public List<String> open(List<String> failed) {
            return failed.stream().filter(id -> !overridden.contains(id)).toList();
        }

        Audit found(long at, List<String> failed) {
            return new Audit(at, failed, overridden, overrideReason, overrideBy);
        }
    }

    /** Returns which it is. */
    public SkillId id() {
        return origin.id();
    }

    /** Returns whether it is offered. */
    public boolean active() {
        return standing.state() == SkillState.ACTIVE;
    }

    SkillRecord standing(SkillState state, String reason, String detail, long atMillis) {
        return new SkillRecord(
                origin, new Standing(state, reason, detail, atMillis), audit, appeals);
    }

    SkillRecord audit(Audit found) {
        return new SkillRecord(origin, standing, found, appeals);
    }

    SkillRecord appeal(String note) {
        List<String> all = new ArrayList<>(appeals);
        all.add(note);
        return new SkillRecord(origin, standing, audit, all);
    }

    /** Returns the key of its row. */
    String row() {
        return ROW + id();
    }

    /** Returns its row. */
    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("skill", id().skill())
                .put("version", id().version())
                .put("name", origin.name())
                .put("publisher", origin.publisher())
                .put("artifact_sha256", origin.artifactSha256())
                .put("payload_sha256", origin.payloadSha256())
                .put("key", origin.keyHex())
                .put("trust_decision", origin.decision())
                .put("installed_at", origin.atMillis())
                .put("installed_by", origin.by())
                .put("source", origin.source())
                .put("protocol_major", origin.compat().protocolMajor())
                .put("min_palyra_version", origin.compat().minVersion())
                .put("max_palyra_version", origin.compat().maxVersion())
                .put("state", standing.state().text())
                .put("reason", standing.reason())
                .put("detail", standing.detail())
                .put("since", standing.sinceMillis())
                .put("audited_at", audit.atMillis())
                .put("override_reason", audit.overrideReason())
                .put("override_by", audit.overrideBy());
        put(json.putArray("audit_reasons"), audit.reasons());
        put(json.putArray("overridden"), audit.overridden());
        put(json.putArray("appeals"), appeals);
        return json;
    }

    private static void put(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }

    private static List<String> texts(JsonNode array) {
        List<String> all = new ArrayList<>();
        array.forEach(each -> all.add(each.asText()));
        return all;
    }

    /** Reads a row. */
    static SkillRecord of(JsonNode json) {
        Origin origin =
                new Origin(
                        new SkillId(json.path("skill").asText(), json.path("version").asText()),
                        json.path("name").asText(),
                        json.path("publisher").asText(),
                        json.path("artifact_sha256").asText(),
                        json.path("payload_sha256").asText(),
                        json.path("key").asText(),
                        json.path("trust_decision").asText(),
                        json.path("installed_at").asLong(),
                        json.path("installed_by").asText(),
                        json.path("source").asText(),
                        new Manifest.Compat(
                                json.path("protocol_major").asInt(ManifestReader.PROTOCOL_MAJOR),
                                json.path("min_palyra_version").asText(),
                                json.path("max_palyra_version").asText()));
        Standing standing =
                new Standing(
                        SkillState.valueOf(json.path("state").asText().toUpperCase(Locale.ROOT)),
                        json.path("reason").asText(),
                        json.path("detail").asText(),
                        json.path("since").asLong());
        Audit audit =
                new Audit(
                        json.path("audited_at").asLong(),
                        texts(json.path("audit_reasons")),
                        texts(json.path("overridden")),
                        json.path("override_reason").asText(),
                        json.path("override_by").asText());
        return new SkillRecord(origin, standing, audit, texts(json.path("appeals")));
    }
}
