package palyra.skills.internal.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.access.Principal;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.audit.AuditReport;
import palyra.skills.internal.audit.Auditor;
import palyra.skills.internal.ledger.Edit;
import palyra.skills.internal.manifest.Version;
import palyra.skills.internal.model.SkillId;

/** Moves installed versions between their states, and removes them. Thread-safe. */
public final class Lifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);
    private static final String ENABLE = "skill.enable";
    private static final String SUPERSEDED = "superseded";
    private static final int MAX_APPEALS = 20;

    private final Changes changes;
    private final ArtifactFiles files;
    private final Checker checker;
    private final Auditor auditor;
    private final Consumer<String> removed;
    private final LongSupplier clock;

    /**
     * @param removed told the id of a skill of which no version is left
     */
    public Lifecycle(
            Changes changes,
            ArtifactFiles files,
            Checker checker,
            Auditor auditor,
            Consumer<String> removed,
            LongSupplier clock) {
        this.changes = changes;
        this.files = files;
        this.checker = checker;
        this.auditor = auditor;
        this.removed = removed;
        this.clock = clock;
    }

    /**
     * Approves a version and puts it into use; the version that was in use until then is switched
     * off in the same unit.
     *
     * @param overrideReason why failed checks are accepted; empty for not at all
     * @throws RefusedException with what speaks against it
     */
    public SkillRecord enable(Principal principal, SkillId id, String overrideReason) {
        Inventory inventory = changes.inventory();
        SkillRecord record = inventory.get(id);
        AuditReport report = auditor.audit(checker.check(inventory.rows(), record));
        List<String> open = record.audit().open(report.reasons());
        if (!open.isEmpty() && overrideReason.isEmpty()) {
            throw new RefusedException(
                    "audit_failed",
                    "The audit speaks against "
                            + id
                            + ": "
                            + String.join(" ", report.faults())
                            + " To enable it in spite of that give --override REASON");
        }
        List<Changes.Question> questions = new ArrayList<>();
        questions.add(question(principal, ENABLE, record));
        SkillRecord.Audit audit = record.audit().found(clock.getAsLong(), report.reasons());
        if (!open.isEmpty()) {
            questions.add(question(principal, "skill.override", record));
            audit =
                    new SkillRecord.Audit(
                            audit.atMillis(),
                            report.reasons(),
                            report.reasons(),
                            overrideReason,
                            principal.id());
        }
        SkillRecord.Audit found = audit;
        return changes.make(questions, now -> activate(now, id, found, principal.id(), SUPERSEDED))
                .get(id);
    }

    private static Changes.Question question(
            Principal principal, String action, SkillRecord record) {
        return new Changes.Question(
                principal, action, record.id().skill(), record.origin().publisher());
    }

    private Edit activate(
            Inventory now, SkillId id, SkillRecord.Audit audit, String by, String whyNot) {
        Edit edit = new Edit();
        SkillRecord record = now.get(id);
        checker.check(now.rows(), record);
        long at = clock.getAsLong();
        now.active(id.skill())
                .filter(other -> !other.id().equals(id))
                .ifPresent(
                        other ->
                                Changes.move(
                                        edit,
                                        other.standing(
                                                SkillState.DISABLED, whyNot, "By " + id + ".", at),
                                        by));
        SkillRecord next = record.audit(audit);
        if (!record.active()) {
            next = next.standing(SkillState.ACTIVE, "", audit.overrideReason(), at);
        }
        Changes.move(edit, next, by);
        return edit;
    }

    /**
     * Goes back to the highest version below the active one that was approved before, or to a given
     * version that was.
     *
     * @param version version to go back to; empty for the one before
     */
    public SkillRecord rollback(Principal principal, String skill, String version) {
        Inventory inventory = changes.inventory();
        SkillRecord present = inventory.resolve(skill);
        SkillRecord target = null;
        for (SkillRecord each : inventory.versions(skill)) {
            boolean meant =
                    version.isEmpty()
                            ? each.standing().state() == SkillState.DISABLED && below(each, present)
                            : each.id().version().equals(version);
            if (meant) {
                target = each;
            }
        }
        if (target == null || target.standing().state() != SkillState.DISABLED) {
            throw new RefusedException(
                    "wrong_state",
                    "There is no version of "
                            + skill
                            + " to go back to: it must be installed,"
                            + " have been in use before, and be disabled.");
        }
        SkillId id = target.id();
        AuditReport report = auditor.audit(checker.check(inventory.rows(), target));
        if (!target.audit().open(report.reasons()).isEmpty()) {
            throw new RefusedException(
                    "audit_failed",
                    "The audit speaks against " + id + ": " + String.join(" ", report.faults()));
        }
        SkillRecord.Audit audit = target.audit().found(clock.getAsLong(), report.reasons());
        return changes.make(
                        List.of(question(principal, ENABLE, target)),
                        now -> activate(now, id, audit, principal.id(), "rolled_back"))
                .get(id);
    }

    private static boolean below(SkillRecord one, SkillRecord other) {
        return Version.of(one.id().version()).compareTo(Version.of(other.id().version())) < 0;
    }

    /** Switches an active version off. */
    public SkillRecord disable(Principal principal, SkillId id) {
        return move(principal, id, "skill.disable", SkillState.DISABLED, "by_operator", "");
    }

    /** Puts a version into quarantine. */
    public SkillRecord quarantine(Principal principal, SkillId id, String why) {
        return move(principal, id, "skill.quarantine", SkillState.QUARANTINED, "by_operator", why);
    }

    private SkillRecord move(
            Principal principal,
            SkillId id,
            String action,
            SkillState state,
            String reason,
            String detail) {
        SkillRecord record = changes.inventory().get(id);
        return changes.make(
                        List.of(question(principal, action, record)),
                        now -> {
                            SkillRecord present = now.get(id);
                            if (state == SkillState.DISABLED && !present.active()) {
                                throw new RefusedException(
                                        "wrong_state",
                                        id
                                                + " is "
                                                + present.standing().state().text()
                                                + ", not active.");
                            }
                            Edit edit = new Edit();
                            Changes.move(
                                    edit,
                                    present.standing(state, reason, detail, clock.getAsLong()),
                                    principal.id());
                            return edit;
                        })
                .get(id);
    }

    /** Notes why somebody thinks that a version does not belong in quarantine. */
    public SkillRecord appeal(Principal principal, SkillId id, String note) {
        SkillRecord record = changes.inventory().get(id);
        return changes.make(
                        List.of(question(principal, "skill.appeal", record)),
                        now -> {
                            SkillRecord present = now.get(id);
                            if (present.standing().state() != SkillState.QUARANTINED
                                    || present.appeals().size() >= MAX_APPEALS) {
                                throw new RefusedException(
                                        "wrong_state",
                                        id + " is not in quarantine, or has 20 notes already.");
                            }
                            SkillRecord next = present.appeal(principal.id() + ": " + note);
                            return new Edit()
                                    .put(next.row(), next.json())
                                    .event(
                                            "skill_appealed",
                                            Changes.event(principal.id(), next).put("note", note));
                        })
                .get(id);
    }

    /** Removes versions of a skill; with the last one goes what was said about the skill. */
    public void remove(Principal principal, List<SkillRecord> records) {
        SkillRecord first = records.get(0);
        String skill = first.id().skill();
        Inventory after =
                changes.make(
                        List.of(question(principal, "skill.remove", first)),
                        now -> {
                            Edit edit = new Edit();
                            List<SkillRecord> left = new ArrayList<>(now.versions(skill));
                            for (SkillRecord record : records) {
                                edit.delete(record.row())
                                        .event(
                                                "skill_removed",
                                                Changes.event(principal.id(), record));
                                left.removeIf(each -> each.id().equals(record.id()));
                            }
                            if (left.isEmpty()) {
                                edit.delete(Inventory.markRow(skill));
                            }
                            return edit;
                        });
        for (SkillRecord record : records) {
            deleteFile(after, record.origin().artifactSha256());
        }
        if (after.versions(skill).isEmpty()) {
            removed.accept(skill);
        }
    }

    private void deleteFile(Inventory after, String sha256) {
        boolean used =
                after.all().stream()
                        .anyMatch(each -> each.origin().artifactSha256().equals(sha256));
        try {
            if (!used) {
                files.delete(sha256);
            }
        } catch (IOException e) {
            LOG.warn("An artifact could not be deleted; it is swept later.", e);
        }
    }
}
