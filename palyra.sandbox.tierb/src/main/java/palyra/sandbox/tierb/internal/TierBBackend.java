package palyra.sandbox.tierb.internal;

import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.ErrorCode;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.FolderCalls;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.confine.AllowedPorts;
import palyra.shared.confine.FolderIdentity;
import palyra.shared.confine.LauncherSeam;
import palyra.shared.confine.Look;
import palyra.shared.confine.OwnedProcess;
import palyra.shared.confine.Refusals;
import palyra.shared.confine.SpecChecks;
import palyra.shared.gate.Gate;
import palyra.shared.seccomp.Filters;

/**
 * Confines processes by resource limits, Landlock and seccomp: no namespaces, no helper program.
 * Its limits are in {@link TierBPlan} and in each enforcement: paths inside the workspace are not
 * protected, and without a cgroup the number of processes is not limited.
 */
@Component(
        service = {SandboxBackend.class, FindingSource.class},
        configurationPid = TierBConfiguration.PID,
        immediate = true)
@Designate(ocd = TierBConfiguration.class)
public final class TierBBackend implements SandboxBackend, FindingSource {
    private static final long WAIT_MILLIS = 2_000;

    private final LauncherSeam launcher = new LauncherSeam();
    private final Gate<FolderCalls> folders =
            new Gate<>(
                    "The folder service (palyra.sandbox.posix)",
                    ErrorCode.TOOL_UNAVAILABLE,
                    WAIT_MILLIS);
    private volatile TierBSettings settings;
    private final AllowedPorts ports = new AllowedPorts();
    private final Filters filters = new Filters();
    private final ScratchCleaner cleaner = new ScratchCleaner(launcher);
    private final Look look;

    /** Starts, and probes the host on a thread of its own. */
    @Activate
    public TierBBackend(TierBConfiguration configuration) {
        this(TierBSettings.from(configuration));
        look.soon();
    }

    TierBBackend(ProcessLauncher launcher, FolderCalls folders, TierBSettings settings) {
        this(settings);
        this.launcher.add(launcher, Map.of());
        this.folders.add(folders, Map.of());
    }

    private TierBBackend(TierBSettings settings) {
        this.settings = settings;
        this.look =
                new Look(
                        "palyra-sandbox-tierb-probe",
                        () -> new TierBProbe(launcher, this.settings).look());
    }

    /** Adds a launcher, and probes again. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "removeLauncher")
    void addLauncher(ProcessLauncher added, Map<String, ?> properties) {
        launcher.add(added, properties);
        look.soon();
    }

    /** Removes a launcher, and probes again. */
    void removeLauncher(ProcessLauncher removed) {
        launcher.remove(removed);
        look.forget(); // calls wait for the look, and for the next launcher
        look.soon();
    }

    /** Adds a folder service. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "removeFolders")
    void addFolders(FolderCalls added, Map<String, ?> properties) {
        folders.add(added, properties);
    }

    /** Removes a folder service. */
    void removeFolders(FolderCalls removed) {
        folders.remove(removed);
    }

    /** Applies a changed configuration; running commands are not affected. */
    @Modified
    void modified(TierBConfiguration configuration) {
        settings = TierBSettings.from(configuration);
        look.soon();
    }

    /** Stops probing. */
    @Deactivate
    void close() {
        look.close();
    }

    @Override
    public Tier tier() {
        return Tier.B;
    }

    @Override
    public String executor() {
        return "sandbox_tier_b";
    }

    @Override
    public BackendStatus status() {
        return look.status();
    }

    @Override
    public BackendStatus probe() {
        return look.again();
    }

    @Override
    public void check(SandboxSpec spec) {
        HostFacts host = launcher.host();
        Refusals.unlessUnprivileged(host);
        if (spec.proxyFolder().isPresent()) {
            throw Refusals.denied(
                    "Tier B has no network of its own to put a proxy into, so strict egress with an"
                            + " allow-list is refused: use Tier C, or no network.");
        }
        Refusals.unlessReady(look.status());
        Refusals.unlessLaunching(host);
        KernelNeeds.check(spec, host);
        SpecChecks.check(spec, settings.readOnlyPaths());
    }

    @Override
    public SandboxProcess start(SandboxSpec spec) {
        check(spec);
        FolderIdentity workspace = FolderIdentity.of(spec.workspace());
        ScratchFolder scratch =
                folders.call(calls -> ScratchFolder.make(calls, workspace, spec.callId()));
        LaunchPlan plan;
        SandboxProcess process;
        try {
            plan =
                    new TierBPlan(
                                    launcher.host(),
                                    settings,
                                    ports,
                                    filters,
                                    TierBProbe.supervises(look.status()))
                            .of(spec, scratch.text());
            process = launcher.launch(plan);
        } catch (RuntimeException e) {
            scratch.removeAll(ScratchCleaner.MILLIS);
            scratch.close();
            throw e;
        }
        SandboxProcess owned = new OwnedProcess(process, () -> cleaner.clean(scratch, plan));
        workspace.confirm(owned);
        return owned;
    }

    @Override
    public List<Finding> findings() {
        return TierBFindings.of(look.status(), launcher.host(), cleaner.left());
    }
}
