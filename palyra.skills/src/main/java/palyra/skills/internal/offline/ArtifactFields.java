package palyra.skills.internal.offline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.audit.AuditCheck;
import palyra.skills.internal.audit.AuditReport;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.model.SkillTool;
import palyra.skills.internal.store.CapabilityDiff;

/** The fields that commands show of artifacts and reports. */
public final class ArtifactFields {
    private ArtifactFields() {}

    /**
     * Returns the fields of an artifact; that it is not made for this Palyra is one of its
     * warnings.
     */
    public static Map<String, Object> artifact(Artifact artifact, GatewayVersion gateway) {
        List<String> warnings = new ArrayList<>(artifact.manifest().warnings());
        gateway.objection(artifact.manifest().id(), artifact.manifest().compat())
                .ifPresent(why -> warnings.add(why.reason() + ": " + why.getMessage()));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("skill", artifact.manifest().id().skill());
        fields.put("version", artifact.manifest().id().version());
        fields.put("name", artifact.manifest().name());
        fields.put("publisher", artifact.manifest().publisher());
        fields.put("manifestVersion", artifact.manifest().format());
        fields.put("keyId", artifact.signature().keyId());
        fields.put("publicKey", artifact.signature().publicKeyHex());
        fields.put("artifactSha256", artifact.sha256());
        fields.put("payloadSha256", artifact.signature().payloadSha256());
        fields.put("bytes", artifact.bytes());
        fields.put("tools", artifact.manifest().tools().stream().map(SkillTool::id).toList());
        fields.put("capabilities", CapabilityDiff.lines(artifact.manifest()));
        fields.put("palyra", artifact.manifest().compat().range());
        fields.put("verifiedBy", gateway.text());
        fields.put("warnings", warnings);
        return fields;
    }

    /** Returns the fields of a report; passed checks only as a number. */
    public static Map<String, Object> report(AuditReport report) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("passed", report.passed());
        fields.put("shouldQuarantine", !report.passed());
        fields.put("quarantineReasons", report.reasons());
        return fields;
    }

    /** Returns the rows of a table of checks: check, result, subject, message. */
    public static List<List<String>> checks(AuditReport report) {
        List<List<String>> rows = new ArrayList<>();
        for (AuditCheck check : report.checks()) {
            rows.add(
                    List.of(
                            check.id(),
                            check.result().name().toLowerCase(Locale.ROOT),
                            check.subject(),
                            check.message()));
        }
        return rows;
    }
}
