package palyra.sandbox.tierc.linux.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxProcess;

/** The real launcher, but on its way to bubblewrap the filter, or what the host has, is changed. */
final class TamperedLauncher implements ProcessLauncher {
    /** Where bubblewrap reads the filter. */
    private static final int FILTER = 3;

    private final ProcessLauncher real;
    private volatile UnaryOperator<HostFacts> host = facts -> facts;
    private volatile UnaryOperator<List<Passed>> passed = all -> all;

    TamperedLauncher(ProcessLauncher real) {
        this.real = real;
    }

    /** Lets everything through as it is. */
    void honest() {
        host = facts -> facts;
        passed = all -> all;
    }

    /** Changes what the host is said to have. */
    void host(UnaryOperator<HostFacts> change) {
        host = change;
    }

    /** Changes the filter. */
    void filter(UnaryOperator<byte[]> change) {
        passed =
                all -> {
                    List<Passed> changed = new ArrayList<>();
                    for (Passed one : all) {
                        changed.add(
                                one.descriptor() == FILTER
                                        ? new Passed(FILTER, change.apply(one.content()))
                                        : one);
                    }
                    return changed;
                };
    }

    /** Takes the filter away. */
    void noFilter() {
        passed = all -> all.stream().filter(one -> one.descriptor() != FILTER).toList();
    }

    @Override
    public HostFacts host() {
        return host.apply(real.host());
    }

    @Override
    public HostFacts refresh() {
        return host.apply(real.refresh());
    }

    @Override
    public SandboxProcess launch(LaunchPlan plan) {
        return real.launch(
                new LaunchPlan(
                        plan.callId(),
                        plan.argv(),
                        plan.environment(),
                        plan.workingFolder(),
                        plan.rlimits(),
                        plan.group(),
                        plan.landlock(),
                        plan.seccomp(),
                        passed.apply(plan.passed()),
                        plan.statusDescriptor(),
                        plan.stdinPiped(),
                        plan.enforcement()));
    }
}
