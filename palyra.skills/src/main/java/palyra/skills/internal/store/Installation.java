package palyra.skills.internal.store;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import palyra.api.access.Principal;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.SkillsSettings;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.ledger.LedgerEdit;
import palyra.skills.internal.manifest.Manifest;
import palyra.skills.internal.trust.TrustDecision;
import palyra.skills.internal.trust.TrustRules;

/**
 * The ledger edit of an installation.
 *
 * @param plan the artifact to install
 * @param record the version as it is recorded first
 * @param enable whether it is put into use in the same unit
 */
record Installation(Installer.Plan plan, SkillRecord record, boolean enable) {
    /**
     * Returns the installation of what was planned.
     *
     * @param source what the file was called
     * @param overrideReason why failed checks are accepted; empty for not at all
     */
    static Installation of(
            Installer.Plan plan,
            Principal principal,
            String source,
            boolean enable,
            String overrideReason,
            long atMillis) {
        Artifact artifact = plan.artifact();
        Manifest manifest = artifact.manifest();
        boolean accepted = !overrideReason.isEmpty();
        SkillRecord record =
                new SkillRecord(
                        new SkillRecord.Origin(
                                manifest.id(),
                                manifest.name(),
                                manifest.publisher(),
                                artifact.sha256(),
                                artifact.signature().payloadSha256(),
                                artifact.signature().publicKeyHex(),
                                plan.decision().text(),
                                atMillis,
                                principal.id(),
                                source,
                                manifest.compat()),
                        new SkillRecord.Standing(
                                SkillState.QUARANTINED,
                                SkillRecord.NOT_APPROVED,
                                "No operator has approved it yet.",
                                atMillis),
                        new SkillRecord.Audit(
                                atMillis,
                                plan.report().reasons(),
                                accepted ? plan.report().reasons() : List.of(),
                                overrideReason,
                                accepted ? principal.id() : ""),
                        List.of());
        return new Installation(plan, record, enable);
    }

    /**
     * Returns the edit; an empty one when the same artifact came in between. The rules are asked
     * again of the rows that the change is made to.
     *
     * @throws RefusedException with the rule that speaks against it now
     */
    LedgerEdit edit(Inventory now, SkillsSettings settings) {
        LedgerEdit edit = new LedgerEdit();
        boolean update = !now.versions(record.id().skill()).isEmpty();
        if (InstallRules.present(now, plan.artifact(), update, settings.maxInstalled())) {
            return edit;
        }
        TrustDecision decision =
                TrustRules.decide(now.rows(), plan.artifact(), true, settings.allowTofu());
        if (decision == TrustDecision.TOFU_NEWLY_PINNED) {
            pin(edit);
        }
        edit.put(record.row(), record.json()).event("skill_installed", event(decision));
        if (enable) {
            Activation.add(
                    edit,
                    now,
                    record,
                    record.origin().by(),
                    Activation.SUPERSEDED,
                    record.origin().atMillis());
        }
        return edit;
    }

    private void pin(LedgerEdit edit) {
        if (!plan.report().passed()) {
            throw new RefusedException(
                    "publisher_untrusted", "The publisher is no longer trusted.");
        }
        SkillRecord.Origin origin = record.origin();
        TrustEdits.pin(edit, origin.publisher(), origin.keyHex(), origin.by(), origin.atMillis());
    }

    private ObjectNode event(TrustDecision decision) {
        ObjectNode event =
                AuthorizedChanges.event(record.origin().by(), record)
                        .put("payload_sha256", record.origin().payloadSha256())
                        .put("key", record.origin().keyHex())
                        .put("trust_decision", decision.text())
                        .put("source", record.origin().source())
                        .put("override_reason", record.audit().overrideReason());
        put(event.putArray("overridden"), record.audit().overridden());
        put(event.putArray("diff"), plan.diff());
        return event;
    }

    private static void put(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }
}
