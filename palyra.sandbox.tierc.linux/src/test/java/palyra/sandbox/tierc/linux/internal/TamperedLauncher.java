package palyra.sandbox.tierc.linux.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Opened;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxProcess;

/** The real launcher, but on its way to bubblewrap something is changed, or happens meanwhile. */
final class TamperedLauncher implements ProcessLauncher {
    /** Where bubblewrap reads the filter. */
    private static final int FILTER = 3;

    private static final Runnable NOTHING = () -> {};
    private static final long PATIENCE_MILLIS = 60_000;

    private final ProcessLauncher real;
    private volatile Runnable before = NOTHING;
    private volatile Runnable after = NOTHING;
    private volatile UnaryOperator<LaunchPlan> plan = all -> all;
    private volatile UnaryOperator<HostFacts> host = facts -> facts;
    private volatile UnaryOperator<List<Passed>> passed = all -> all;

    TamperedLauncher(ProcessLauncher real) {
        this.real = real;
    }

    /** Lets everything through as it is. */
    void honest() {
        host = facts -> facts;
        passed = all -> all;
        plan = all -> all;
        before = NOTHING;
        after = NOTHING;
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

    /** Has something happen while a command is launched and runs; it then runs alone. */
    void during(Runnable begun, Runnable ended) {
        before = begun;
        after = ended;
    }

    /** Changes plans. */
    void plan(UnaryOperator<LaunchPlan> change) {
        plan = change;
    }

    @Override
    public SandboxProcess launch(LaunchPlan wanted) {
        before.run();
        try {
            LaunchPlan changed = plan.apply(wanted);
            SandboxProcess process =
                    real.launch(with(changed, passed.apply(changed.passed()), changed.opened()));
            if (after != NOTHING) {
                awaitEnd(process);
            }
            return process;
        } finally {
            after.run();
        }
    }

    private static void awaitEnd(SandboxProcess process) {
        try {
            process.await(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns a plan with other descriptors. */
    static LaunchPlan with(LaunchPlan plan, List<Passed> passed, List<Opened> opened) {
        return new LaunchPlan(
                plan.callId(),
                plan.argv(),
                plan.environment(),
                plan.workingFolder(),
                plan.rlimits(),
                plan.group(),
                plan.landlock(),
                plan.seccomp(),
                passed,
                opened,
                plan.statusDescriptor(),
                plan.stdinPiped(),
                plan.within(),
                plan.enforcement());
    }
}
