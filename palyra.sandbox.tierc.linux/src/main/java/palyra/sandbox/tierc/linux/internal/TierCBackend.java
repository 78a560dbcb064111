package palyra.sandbox.tierc.linux.internal;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.confine.AllowedPorts;
import palyra.shared.confine.FolderIdentity;
import palyra.shared.confine.LauncherSeam;
import palyra.shared.confine.Look;
import palyra.shared.confine.Refusals;
import palyra.shared.seccomp.Profile;

/**
 * Runs processes in namespaces of their own: they see a file system of their own, no other process,
 * and only the network that their egress mode allows. Needs bubblewrap; there is no weaker
 * fallback.
 */
@Component(
        service = {SandboxBackend.class, FindingSource.class},
        configurationPid = TierCConfiguration.PID,
        immediate = true)
@Designate(ocd = TierCConfiguration.class)
public final class TierCBackend implements SandboxBackend, FindingSource {
    private final LauncherSeam launcher = new LauncherSeam();
    private final Remedies remedies;
    private final Look look;
    private final AllowedPorts ports = new AllowedPorts();
    private volatile Parts parts;

    /** Objects that depend on the configuration. */
    private record Parts(TierCSettings settings, BwrapProbe probe, TierCChecks checks) {}

    /** Called by the component runtime. */
    @Activate
    public TierCBackend(TierCConfiguration configuration) {
        this(TierCSettings.from(configuration), Path.of("/proc/sys"));
    }

    /**
     * Removes what earlier versions left in workspaces, and probes the host on a thread of its own.
     */
    @Activate
    void activate(BundleContext context) {
        String state = context.getProperty(Ops.STATE_FOLDER);
        if (state != null) {
            Leftovers.removeRecorded(Path.of(state, "run", "sandbox-placeholders"));
        }
        look.soon();
    }

    TierCBackend(ProcessLauncher launcher, TierCSettings settings, Path kernelSettings) {
        this(settings, kernelSettings);
        this.launcher.add(launcher, Map.of());
    }

    private TierCBackend(TierCSettings settings, Path kernelSettings) {
        this.remedies = new Remedies(kernelSettings);
        this.parts = parts(settings);
        this.look = new Look("palyra-sandbox-tierc-probe", () -> parts.probe().look());
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

    private Parts parts(TierCSettings settings) {
        return new Parts(
                settings,
                new BwrapProbe(launcher, settings, remedies),
                new TierCChecks(settings.readOnlyPaths()));
    }

    /**
     * Applies a changed configuration; running commands are not affected, new ones wait for the
     * probe.
     */
    @Modified
    void modified(TierCConfiguration configuration) {
        parts = parts(TierCSettings.from(configuration));
        look.forget();
        look.soon();
    }

    /** Stops probing. */
    @Deactivate
    void close() {
        look.close();
    }

    @Override
    public Tier tier() {
        return Tier.C;
    }

    @Override
    public String executor() {
        return "sandbox_tier_c_linux_bubblewrap";
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
        checked(spec, parts);
    }

    private HelperPrograms checked(SandboxSpec spec, Parts parts) {
        HostFacts host = launcher.host();
        Refusals.unlessUnprivileged(host);
        BackendStatus status = look.status();
        Refusals.unlessReady(status);
        Refusals.unlessLaunching(host);
        HelperPrograms helpers =
                parts.probe()
                        .helpers()
                        .orElseThrow(
                                () ->
                                        Refusals.unavailable(
                                                "Tier C is being probed again.", "Try again."));
        parts.checks().check(spec, helpers, host, status);
        return helpers;
    }

    @Override
    public SandboxProcess start(SandboxSpec spec) {
        Parts now = parts;
        HelperPrograms helpers = checked(spec, now);
        Profile profile = now.checks().search(spec);
        FolderIdentity workspace = FolderIdentity.of(spec.workspace());
        Protection protection = Protection.of(spec.workspace(), spec.protectedPaths());
        BwrapPlan plan =
                new BwrapPlan(helpers, launcher.host(), now.settings().readOnlyPaths(), ports);
        SandboxProcess process = launcher.launch(plan.of(spec, protection, profile));
        workspace.confirm(process);
        return process;
    }

    @Override
    public SandboxProcess hold(SandboxSpec spec) {
        Parts now = parts;
        HelperPrograms helpers = checked(spec, now);
        return SharedCommands.make(launcher, helpers, launcher.host(), spec);
    }

    @Override
    public List<Finding> findings() {
        return TierCFindings.of(look.status(), launcher.host());
    }
}
