package palyra.skills.internal;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import palyra.api.command.Command;
import palyra.api.core.access.Access;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.LoopView;
import palyra.api.core.policy.PolicyEngine;
import palyra.shared.files.DurableFiles;
import palyra.shared.gate.Gate;
import palyra.skills.internal.audit.AdmissionInspector;
import palyra.skills.internal.audit.Auditor;
import palyra.skills.internal.audit.EnginePolicy;
import palyra.skills.internal.command.SkillCommands;
import palyra.skills.internal.ledger.SkillRegistry;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.model.SkillPreparation;
import palyra.skills.internal.store.ActiveSkillListeners;
import palyra.skills.internal.store.ArtifactFiles;
import palyra.skills.internal.store.ArtifactVerifier;
import palyra.skills.internal.store.AuthorizedChanges;
import palyra.skills.internal.store.Installer;
import palyra.skills.internal.store.Lifecycle;
import palyra.skills.internal.store.Reaudit;
import palyra.skills.internal.store.SkillLoader;
import palyra.skills.internal.store.SkillReport;
import palyra.skills.internal.store.TrustService;

/** Creates and connects the parts that manage installed skills. Thread-safe. */
final class SkillManager implements AutoCloseable {
    private static final String FOLDER = "skills";

    private final Path state;
    private final GatewayVersion gateway;
    private final ActiveSkillListeners listeners = new ActiveSkillListeners();
    private final AuthorizedChanges changes;
    private final ArtifactVerifier verifier;
    private final Auditor auditor;
    private final SkillLoader loader;
    private final Installer installer;
    private final Lifecycle lifecycle;
    private final Reaudit reaudit;
    private final TrustService trust;
    private final SkillReport report;

    /**
     * The services that are used.
     *
     * @param preparation compiles modules
     */
    record Seams(
            Gate<Journal> journal,
            Gate<Access> access,
            Gate<Keys> keys,
            Gate<PolicyEngine> policies,
            SkillPreparation preparation) {}

    SkillManager(
            Path state,
            Seams seams,
            GatewayVersion gateway,
            Supplier<SkillsSettings> settings,
            Consumer<String> removed,
            LongSupplier clock) {
        this(state, seams, gateway, settings, removed, clock, new DurableFiles());
    }

    /**
     * @param gateway what skills have to be made for
     * @param disk steps by which files change
     */
    SkillManager(
            Path state,
            Seams seams,
            GatewayVersion gateway,
            Supplier<SkillsSettings> settings,
            Consumer<String> removed,
            LongSupplier clock,
            DurableFiles disk) {
        this.state = state;
        this.gateway = gateway;
        Path folder = state.resolve(FOLDER);
        SkillRegistry registry =
                new SkillRegistry(
                        seams.journal(), seams.keys(), folder.resolve("ledger.head"), disk);
        ArtifactFiles files = new ArtifactFiles(folder.resolve("artifacts"), disk);
        this.changes = new AuthorizedChanges(registry, seams.access(), this::changed);
        this.verifier = new ArtifactVerifier(files);
        this.auditor =
                new Auditor(
                        new AdmissionInspector(), Optional.of(new EnginePolicy(seams.policies())));
        this.loader = new SkillLoader(registry, changes, verifier, listeners, gateway, clock);
        this.installer =
                new Installer(
                        changes,
                        files,
                        verifier,
                        auditor,
                        seams.preparation(),
                        gateway,
                        settings,
                        clock);
        this.lifecycle =
                new Lifecycle(
                        changes,
                        files,
                        verifier,
                        auditor,
                        seams.preparation(),
                        gateway,
                        removed,
                        clock);
        this.reaudit = new Reaudit(changes, verifier, auditor, loader, files, clock);
        this.trust = new TrustService(changes, loader::recheck, clock);
        this.report = new SkillReport(changes, loader, settings, clock);
    }

    /** Runs only after everything was put together. */
    private void changed() {
        loader.notifyListeners();
    }

    AuthorizedChanges changes() {
        return changes;
    }

    SkillLoader loader() {
        return loader;
    }

    Installer installer() {
        return installer;
    }

    Lifecycle lifecycle() {
        return lifecycle;
    }

    Reaudit reaudit() {
        return reaudit;
    }

    TrustService trust() {
        return trust;
    }

    SkillReport report() {
        return report;
    }

    LoopView loop() {
        return listeners.loop();
    }

    List<Command> commands() {
        return SkillCommands.of(
                state, gateway, changes, verifier, auditor, reaudit, installer, lifecycle, trust);
    }

    @Override
    public void close() {
        listeners.close();
    }
}
