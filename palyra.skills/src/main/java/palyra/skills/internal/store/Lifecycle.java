package palyra.skills.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import palyra.api.access.Principal;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.audit.AuditReport;
import palyra.skills.internal.audit.Auditor;
import palyra.skills.internal.ledger.LedgerEdit;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.manifest.SemanticVersion;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.model.SkillPreparation;

/** Moves installed versions between their states, and removes them. Thread-safe. */
public final class Lifecycle {
    private static final String ENABLE = "skill.enable";
    private static final int MAX_APPEALS = 20;

    private final AuthorizedChanges changes;
    private final ArtifactVerifier verifier;
    private final Auditor auditor;
    private final ModuleCompileCheck trial;
    private final GatewayVersion gateway;
    private final Removal removal;
    private final LongSupplier clock;

    /**
     * @param preparation compiles modules
     * @param gateway what skills have to be made for
     * @param removed told the id of a skill of which no version is left
     */
    public Lifecycle(
            AuthorizedChanges changes,
            ArtifactFiles files,
            ArtifactVerifier verifier,
            Auditor auditor,
            SkillPreparation preparation,
            GatewayVersion gateway,
            Consumer<String> removed,
            LongSupplier clock) {
        this.changes = changes;
        this.verifier = verifier;
        this.auditor = auditor;
        this.trial = new ModuleCompileCheck(preparation);
        this.gateway = gateway;
        this.removal = new Removal(changes, files, removed);
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
        Artifact artifact = fit(inventory, record);
        AuditReport report = auditor.audit(artifact);
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
        requireCompilable(inventory, artifact, report);
        List<AuthorizedChanges.Question> questions = new ArrayList<>();
        questions.add(AuthorizedChanges.Question.of(principal, ENABLE, record));
        SkillRecord.Audit audit = record.audit().found(clock.getAsLong(), report.reasons());
        if (!open.isEmpty()) {
            questions.add(AuthorizedChanges.Question.of(principal, "skill.override", record));
            audit =
                    new SkillRecord.Audit(
                            audit.atMillis(),
                            report.reasons(),
                            report.reasons(),
                            overrideReason,
                            principal.id());
        }
        SkillRecord.Audit found = audit;
        return changes.make(
                        questions,
                        now -> activate(now, id, found, principal.id(), Activation.SUPERSEDED))
                .get(id);
    }

    private void requireCompilable(Inventory inventory, Artifact artifact, AuditReport report) {
        String skill = artifact.manifest().id().skill();
        trial.require(artifact, inventory.trusted(skill), inventory.engine(skill), report);
    }

    /** Returns the artifact of a version that may be used here. */
    private Artifact fit(Inventory inventory, SkillRecord record) {
        Artifact artifact = verifier.check(inventory.rows(), record);
        gateway.requireFit(artifact.manifest());
        return artifact;
    }

    private LedgerEdit activate(
            Inventory now, SkillId id, SkillRecord.Audit audit, String by, String whyNot) {
        SkillRecord record = now.get(id);
        fit(now, record);
        LedgerEdit edit = new LedgerEdit();
        Activation.add(edit, now, record.audit(audit), by, whyNot, clock.getAsLong());
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
        SkillRecord target = previousVersion(inventory, skill, version);
        SkillId id = target.id();
        Artifact artifact = fit(inventory, target);
        AuditReport report = auditor.audit(artifact);
        if (!target.audit().open(report.reasons()).isEmpty()) {
            throw new RefusedException(
                    "audit_failed",
                    "The audit speaks against " + id + ": " + String.join(" ", report.faults()));
        }
        requireCompilable(inventory, artifact, report);
        SkillRecord.Audit audit = target.audit().found(clock.getAsLong(), report.reasons());
        return changes.make(
                        List.of(AuthorizedChanges.Question.of(principal, ENABLE, target)),
                        now -> activate(now, id, audit, principal.id(), "rolled_back"))
                .get(id);
    }

    private static SkillRecord previousVersion(Inventory inventory, String skill, String version) {
        SkillRecord present = inventory.resolve(skill);
        return inventory.versions(skill).stream()
                .filter(each -> each.standing().state() == SkillState.DISABLED)
                .filter(
                        each ->
                                version.isEmpty()
                                        ? isBelow(each, present)
                                        : each.id().version().equals(version))
                .reduce((lower, higher) -> higher)
                .orElseThrow(
                        () ->
                                new RefusedException(
                                        "wrong_state",
                                        "There is no version of "
                                                + skill
                                                + " to go back to: it must be installed,"
                                                + " have been in use before, and be disabled."));
    }

    private static boolean isBelow(SkillRecord one, SkillRecord other) {
        return SemanticVersion.of(one.id().version())
                        .compareTo(SemanticVersion.of(other.id().version()))
                < 0;
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
                        List.of(AuthorizedChanges.Question.of(principal, action, record)),
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
                            LedgerEdit edit = new LedgerEdit();
                            AuthorizedChanges.move(
                                    edit,
                                    present.standing(state, reason, detail, clock.getAsLong()),
                                    principal.id());
                            return edit;
                        })
                .get(id);
    }

    /** Records an appeal against the quarantine of a version. */
    public SkillRecord appeal(Principal principal, SkillId id, String note) {
        SkillRecord record = changes.inventory().get(id);
        return changes.make(
                        List.of(AuthorizedChanges.Question.of(principal, "skill.appeal", record)),
                        now -> {
                            SkillRecord present = now.get(id);
                            if (present.standing().state() != SkillState.QUARANTINED
                                    || present.appeals().size() >= MAX_APPEALS) {
                                throw new RefusedException(
                                        "wrong_state",
                                        id + " is not in quarantine, or has 20 notes already.");
                            }
                            SkillRecord next = present.appeal(principal.id() + ": " + note);
                            return new LedgerEdit()
                                    .put(next.row(), next.json())
                                    .event(
                                            "skill_appealed",
                                            AuthorizedChanges.event(principal.id(), next)
                                                    .put("note", note));
                        })
                .get(id);
    }

    /** Removes versions of a skill; with the last one goes what was said about the skill. */
    public void remove(Principal principal, List<SkillRecord> records) {
        removal.remove(principal, records);
    }
}
