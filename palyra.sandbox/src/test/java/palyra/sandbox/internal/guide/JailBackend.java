package palyra.sandbox.internal.guide;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;

/** The backend of the integrator guide; the guide shows what follows word for word. */
@Component(service = SandboxBackend.class, immediate = true)
public final class JailBackend implements SandboxBackend {
    private static final List<String> JAIL =
            List.of("/usr/bin/firejail", "--quiet", "--noprofile", "--net=none", "--seccomp");

    private final ProcessLauncher launcher;

    @Activate
    public JailBackend(@Reference ProcessLauncher launcher) {
        this.launcher = launcher;
    }

    @Override
    public Tier tier() {
        return Tier.C;
    }

    @Override
    public String executor() {
        return "acme_firejail";
    }

    @Override
    public BackendStatus status() {
        return BackendStatus.ready(Map.of("jail", JAIL.get(0)), "acme-1");
    }

    @Override
    public BackendStatus probe() {
        return status(); // a real one runs the helper and digests it: the fingerprint tells changes
    }

    @Override
    public void check(SandboxSpec spec) {
        if (spec.egress() != Egress.STRICT || spec.proxyFolder().isPresent()) {
            throw new PalyraException(
                    ErrorCode.DENIED, "This jail is offline: use strict egress without hosts.");
        }
    }

    @Override
    public SandboxProcess start(SandboxSpec spec) {
        check(spec);
        List<String> argv = new ArrayList<>(JAIL);
        argv.add("--whitelist=" + spec.workspace());
        argv.add("--");
        argv.addAll(spec.argv());
        SandboxLimits limits = spec.limits();
        return launcher.launch(
                new LaunchPlan(
                        spec.callId(),
                        argv,
                        Map.of("PATH", "/usr/bin:/bin"),
                        spec.workingFolder(),
                        new LaunchPlan.Rlimits(
                                Math.ceilDiv(limits.cpuMillis(), 1_000),
                                limits.memoryBytes(),
                                limits.fileBytes(),
                                limits.openFiles(),
                                0),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        0,
                        spec.stdinPiped(),
                        "strict jail=firejail network=offline"));
    }
}
