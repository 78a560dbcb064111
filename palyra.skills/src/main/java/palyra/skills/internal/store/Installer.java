package palyra.skills.internal.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import palyra.api.access.Principal;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.SkillsSettings;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.audit.AuditReport;
import palyra.skills.internal.audit.Auditor;
import palyra.skills.internal.ledger.LedgerEdit;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.manifest.Manifest;
import palyra.skills.internal.model.SkillPreparation;
import palyra.skills.internal.trust.TrustDecision;
import palyra.skills.internal.trust.TrustRules;

/**
 * Installs versions. Everything is checked before anything is written; then the file, then, in one
 * unit, the record, a new pin and the permit. Thread-safe.
 */
public final class Installer {
    private static final String INSTALL = "skill.install";
    private static final String ENABLE = "skill.enable";
    private static final String OVERRIDE = "skill.override";

    private final AuthorizedChanges changes;
    private final ArtifactFiles files;
    private final ArtifactVerifier verifier;
    private final Auditor auditor;
    private final ModuleCompileCheck trial;
    private final GatewayVersion gateway;
    private final Supplier<SkillsSettings> settings;
    private final LongSupplier clock;

    /**
     * @param preparation compiles modules
     * @param gateway what skills have to be made for
     */
    public Installer(
            AuthorizedChanges changes,
            ArtifactFiles files,
            ArtifactVerifier verifier,
            Auditor auditor,
            SkillPreparation preparation,
            GatewayVersion gateway,
            Supplier<SkillsSettings> settings,
            LongSupplier clock) {
        this.changes = changes;
        this.files = files;
        this.verifier = verifier;
        this.auditor = auditor;
        this.trial = new ModuleCompileCheck(preparation);
        this.gateway = gateway;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * An artifact to install, checked.
     *
     * @param artifact the artifact, checked
     * @param file its bytes
     * @param decision why its key is trusted
     * @param report what the audit found
     * @param diff what it may do that the present version may not, and the other way round
     * @param present whether this very artifact is installed already
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they came
    public record Plan(
            Artifact artifact,
            byte[] file,
            TrustDecision decision,
            AuditReport report,
            List<String> diff,
            boolean present) {
        /** Copies. */
        public Plan {
            diff = List.copyOf(diff);
        }

        @Override
        public String toString() {
            return "Plan[" + artifact + "]";
        }
    }

    /**
     * Checks everything and writes nothing.
     *
     * @param update whether another version must be there already, rather than none
     * @throws RefusedException with the reason why it cannot be installed
     */
    public Plan plan(byte[] file, boolean update) {
        Artifact artifact = Artifact.verify(file);
        Inventory inventory = changes.inventory();
        boolean present =
                InstallRules.present(inventory, artifact, update, settings.get().maxInstalled());
        if (!present) {
            gateway.requireFit(artifact.manifest());
        }
        TrustDecision decision =
                TrustRules.decide(inventory.rows(), artifact, true, settings.get().allowTofu());
        AuditReport report = auditor.audit(artifact);
        if (!present) {
            String skill = artifact.manifest().id().skill();
            trial.require(artifact, inventory.trusted(skill), inventory.engine(skill), report);
        }
        return new Plan(
                artifact, file, decision, report, diff(inventory, artifact.manifest()), present);
    }

    private List<String> diff(Inventory inventory, Manifest manifest) {
        List<SkillRecord> versions = inventory.versions(manifest.id().skill());
        List<String> before = List.of();
        if (!versions.isEmpty()) {
            try {
                SkillRecord record = inventory.resolve(manifest.id().skill());
                before = CapabilityDiff.lines(verifier.check(inventory.rows(), record).manifest());
            } catch (RefusedException e) {
                before = List.of(); // the installed artifact is damaged: every capability is new
            }
        }
        return CapabilityDiff.between(before, CapabilityDiff.lines(manifest));
    }

    /**
     * Installs a plan. An installed version stays as it is; only a damaged file is written again.
     *
     * @param enable whether it is put into use in the same unit, as approved by the principal;
     *     otherwise it is in quarantine until an operator approves it
     * @param overrideReason why failed checks are accepted; empty for not at all
     * @throws RefusedException {@code audit_failed} when checks failed and the caller does not
     *     accept that
     */
    public SkillRecord install(
            Principal principal, Plan plan, String source, boolean enable, String overrideReason) {
        Manifest manifest = plan.artifact().manifest();
        if (plan.present()) {
            return repaired(principal, plan);
        }
        boolean failed = !plan.report().passed();
        boolean accepted = failed && !overrideReason.isEmpty();
        if (failed && !accepted) {
            throw new RefusedException(
                    "audit_failed",
                    "The audit speaks against "
                            + manifest.id()
                            + ": "
                            + String.join(" ", plan.report().faults())
                            + " To install it in spite of that give --override REASON");
        }
        boolean pins = plan.decision() == TrustDecision.TOFU_NEWLY_PINNED;
        if (accepted && pins) {
            throw new RefusedException(
                    "audit_failed",
                    "An unknown publisher is pinned only by a skill that passes every"
                            + " check; allow '"
                            + manifest.publisher()
                            + "' first.");
        }
        List<AuthorizedChanges.Question> questions = new ArrayList<>();
        questions.add(question(principal, INSTALL, manifest));
        if (accepted) {
            questions.add(question(principal, OVERRIDE, manifest));
        }
        if (enable) {
            questions.add(question(principal, ENABLE, manifest));
        }
        files.put(plan.artifact().sha256(), plan.file());
        Installation installation =
                Installation.of(
                        plan,
                        principal,
                        source,
                        enable,
                        accepted ? overrideReason : "",
                        clock.getAsLong());
        return changes.make(questions, now -> installation.edit(now, settings.get()))
                .get(manifest.id());
    }

    /** Leaves an installed version alone, unless its file is damaged. */
    private SkillRecord repaired(Principal principal, Plan plan) {
        SkillRecord record = changes.inventory().get(plan.artifact().manifest().id());
        try {
            files.read(plan.artifact().sha256());
            return record;
        } catch (RefusedException e) {
            return changes.make(
                            List.of(question(principal, INSTALL, plan.artifact().manifest())),
                            inventory -> {
                                files.put(plan.artifact().sha256(), plan.file());
                                return new LedgerEdit()
                                        .event(
                                                "skill_repaired",
                                                AuthorizedChanges.event(
                                                        principal.id(),
                                                        inventory.get(record.id())));
                            })
                    .get(record.id());
        }
    }

    private static AuthorizedChanges.Question question(
            Principal principal, String action, Manifest manifest) {
        return new AuthorizedChanges.Question(
                principal, action, manifest.id().skill(), manifest.publisher());
    }
}
