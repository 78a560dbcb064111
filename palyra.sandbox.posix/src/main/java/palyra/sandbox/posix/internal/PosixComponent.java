package palyra.sandbox.posix.internal;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.posix.internal.cgroup.CgroupFinder;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.Os;

/**
 * Offers the launcher as a service. A thread of its own probes the host, because JNA unpacks a
 * library and starts a program the first time; callers wait for it up to a minute.
 */
@Component(
        name = "palyra.sandbox.posix",
        immediate = true,
        service = {ProcessLauncher.class, FindingSource.class, MetricSource.class})
public final class PosixComponent implements ProcessLauncher, FindingSource, MetricSource {
    private static final Logger LOG = LoggerFactory.getLogger(PosixComponent.class);
    private static final long WAIT_SECONDS = 60;

    private final FutureTask<PosixLauncher> probing;

    /** Starts to probe the host. */
    @Activate
    public PosixComponent() {
        this(new HostProbe(false, PosixLauncher.variable(CgroupFinder.VARIABLE)));
    }

    PosixComponent(HostProbe probe) {
        probing = new FutureTask<>(() -> open(probe));
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("palyra-sandbox-probe")
                        .inheritInheritableThreadLocals(false)
                        .unstarted(probing);
        thread.setContextClassLoader(null);
        thread.start();
    }

    private static PosixLauncher open(HostProbe probe) {
        PosixLauncher launcher = new PosixLauncher(new Libc(Os.here()), probe);
        if (launcher.host().problem().isEmpty()) {
            launcher.endOrphans();
        }
        LOG.info("Sandboxes of this host: {}", launcher.host());
        return launcher;
    }

    /** Kills every process; afterwards nothing can be launched. */
    @Deactivate
    public void stop() {
        try {
            probing.get(WAIT_SECONDS, TimeUnit.SECONDS).close();
        } catch (ExecutionException | TimeoutException neverOpened) {
            probing.cancel(true);
        } catch (InterruptedException interrupted) {
            probing.cancel(true);
            Thread.currentThread().interrupt();
        }
    }

    private PosixLauncher launcher() {
        try {
            return probing.get(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException broken) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE, problem(broken.getCause()), broken.getCause());
        } catch (TimeoutException slow) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The host was not probed within a minute; try again.",
                    slow);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PalyraException(
                    ErrorCode.CANCELLED,
                    "The thread was interrupted while the host was probed.",
                    interrupted);
        }
    }

    private static String problem(Throwable broken) {
        return "Processes cannot be started, because the C library cannot be called: "
                + broken.getMessage()
                + "; give JNA a folder where programs may be executed by"
                + " -Djna.tmpdir=FOLDER.";
    }

    @Override
    public HostFacts host() {
        try {
            return launcher().host();
        } catch (PalyraException absent) {
            return HostProbe.without(absent.getMessage());
        }
    }

    @Override
    public HostFacts refresh() {
        try {
            return launcher().refresh();
        } catch (PalyraException absent) {
            return HostProbe.without(absent.getMessage());
        }
    }

    @Override
    public SandboxProcess launch(LaunchPlan plan) {
        return launcher().launch(plan);
    }

    @Override
    public List<Finding> findings() {
        if (!probing.isDone()) {
            return List.of();
        }
        long leftovers = 0;
        try {
            leftovers = launcher().leftovers();
        } catch (PalyraException absent) {
            leftovers = 0; // the facts say what is wrong
        }
        return HostFindings.of(host(), leftovers);
    }

    @Override
    public List<Metric> metrics() {
        try {
            return probing.isDone() ? launcher().metrics() : List.of();
        } catch (PalyraException absent) {
            return List.of();
        }
    }
}
