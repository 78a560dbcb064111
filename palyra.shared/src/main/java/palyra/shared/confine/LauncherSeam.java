package palyra.shared.confine;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.shared.gate.Gate;

/**
 * The seam to the launcher, which may be replaced at any moment. Without one, a launch waits two
 * seconds and is then refused, and the host is one where nothing can be launched. Thread-safe.
 */
public final class LauncherSeam implements ProcessLauncher {
    private static final long WAIT_MILLIS = 2_000;

    private final Gate<ProcessLauncher> gate =
            new Gate<>(
                    "The launcher of processes (palyra.sandbox.posix)",
                    ErrorCode.TOOL_UNAVAILABLE,
                    WAIT_MILLIS);

    /** Takes a launcher into choice. */
    public void add(ProcessLauncher launcher, Map<String, ?> properties) {
        gate.add(launcher, properties);
    }

    /** Takes a launcher out of choice. */
    public void remove(ProcessLauncher launcher) {
        gate.remove(launcher);
    }

    @Override
    public HostFacts host() {
        return now(ProcessLauncher::host);
    }

    @Override
    public HostFacts refresh() {
        return now(ProcessLauncher::refresh);
    }

    @Override
    public SandboxProcess launch(LaunchPlan plan) {
        return gate.call(launcher -> launcher.launch(plan));
    }

    private HostFacts now(java.util.function.Function<ProcessLauncher, HostFacts> question) {
        if (!gate.isPresent()) {
            return absent();
        }
        try (Gate.Lease<ProcessLauncher> lease = gate.lease(0)) {
            return question.apply(lease.service());
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.TOOL_UNAVAILABLE) {
                return absent();
            }
            throw e;
        }
    }

    private static HostFacts absent() {
        return new HostFacts(
                System.getProperty("os.name").toLowerCase(Locale.ROOT),
                System.getProperty("os.arch"),
                "",
                -1,
                "",
                0,
                false,
                false,
                "",
                Set.of(),
                "The launcher of processes (palyra.sandbox.posix) is not available now.");
    }
}
