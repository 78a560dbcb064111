package palyra.skills.internal.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.skills.internal.audit.AuditReport;
import palyra.skills.internal.offline.ArtifactFields;
import palyra.skills.internal.store.Inventory;
import palyra.skills.internal.store.SkillRecord;
import palyra.skills.internal.trust.TrustRules;

/** The fields that commands show of records. */
final class RecordFields {
    private RecordFields() {}

    /** Returns the fields of a version; {@code more} are added at the end. */
    static Map<String, Object> record(
            Inventory inventory, SkillRecord record, Map<String, Object> more) {
        Map<String, Object> fields = standing(record);
        SkillRecord.Origin origin = record.origin();
        fields.put("name", origin.name());
        fields.put("publisher", origin.publisher());
        fields.put("keyId", TrustRules.keyId(origin.keyHex()));
        fields.put("publicKey", origin.keyHex());
        fields.put("trust", origin.decision());
        fields.put("trusted", inventory.trusted(record.id().skill()));
        fields.put("engine", inventory.engine(record.id().skill()));
        fields.put("artifactSha256", origin.artifactSha256());
        fields.put("payloadSha256", origin.payloadSha256());
        fields.put("installed", Instant.ofEpochMilli(origin.atMillis()).toString());
        fields.put("installedBy", origin.by());
        fields.put("source", origin.source());
        fields.put("auditReasons", record.audit().reasons());
        fields.put("overridden", record.audit().overridden());
        fields.put("overrideReason", record.audit().overrideReason());
        fields.put("appeals", record.appeals());
        fields.putAll(more);
        return fields;
    }

    /** Returns the state of a version. */
    static Map<String, Object> standing(SkillRecord record) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("skill", record.id().skill());
        fields.put("version", record.id().version());
        fields.put("state", record.standing().state().text());
        fields.put("reason", record.standing().reason());
        fields.put("detail", record.standing().detail());
        return fields;
    }

    /** Returns the JSON form of a report, with all checks. */
    static Map<String, Object> report(AuditReport report) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("passed", report.passed());
        fields.put("should_quarantine", !report.passed());
        fields.put("quarantine_reasons", report.reasons());
        List<Map<String, String>> checks = new ArrayList<>();
        for (List<String> row : ArtifactFields.checks(report)) {
            checks.add(
                    Map.of(
                            "id", row.get(0),
                            "result", row.get(1),
                            "subject", row.get(2),
                            "message", row.get(3)));
        }
        fields.put("checks", checks);
        return fields;
    }
}
