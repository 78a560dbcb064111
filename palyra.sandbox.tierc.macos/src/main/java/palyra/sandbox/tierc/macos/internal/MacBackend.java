package palyra.sandbox.tierc.macos.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.sandbox.tierc.macos.internal.watch.LibProc;
import palyra.sandbox.tierc.macos.internal.watch.ProcessTable;
import palyra.shared.confine.LauncherSeam;

/**
 * Tier C on macOS, by {@code sandbox-exec}. The profile is verified by an evaluator in the tests,
 * not run on hardware; at its start the backend tests it on the host and refuses everything when a
 * test command does what it must not.
 */
@Component(
        service = {SandboxBackend.class, FindingSource.class},
        immediate = true)
public final class MacBackend implements SandboxBackend, FindingSource {
    private static final Logger LOG = LoggerFactory.getLogger(MacBackend.class);
    private static final long STOP_MILLIS = 10_000;

    private final LauncherSeam launcher = new LauncherSeam();
    private final SandboxExec sandboxExec;
    private final Starter starter;
    private final SpecCheck specCheck;
    private final Probe probe;
    private final ReentrantLock probing = new ReentrantLock();
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<SandboxProcess> running = new HashSet<>(); // guarded by lock
    private Thread prober; // guarded by lock; the last that looked in the background
    private boolean closed; // guarded by lock
    private volatile Probe.Found found = Probe.Found.NOTHING;

    /** Starts, and looks at the host in the background. */
    @Activate
    public MacBackend(BundleContext context) {
        this(
                new SandboxExec(SandboxExec.SYSTEM),
                table(),
                Optional.ofNullable(context.getProperty(Ops.STATE_FOLDER)).map(MacBackend::real));
        probeSoon();
    }

    MacBackend(
            ProcessLauncher launcher,
            SandboxExec sandboxExec,
            Optional<ProcessTable> table,
            Optional<Path> state) {
        this(sandboxExec, table, state);
        this.launcher.add(launcher, Map.of());
    }

    private MacBackend(
            SandboxExec sandboxExec, Optional<ProcessTable> table, Optional<Path> state) {
        this.sandboxExec = sandboxExec;
        this.starter =
                new Starter(
                        launcher,
                        table.orElseGet(NoProcessTable::new),
                        sandboxExec.path(),
                        state.map(Path::toString));
        this.specCheck = new SpecCheck(real(System.getProperty("user.home")), state);
        this.probe = new Probe(launcher, sandboxExec, table, new SelfTest(starter));
    }

    /** Takes a launcher into choice, and looks again. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY,
            unbind = "removeLauncher")
    void addLauncher(ProcessLauncher added, Map<String, ?> properties) {
        launcher.add(added, properties);
        probeSoon();
    }

    /** Takes a launcher out of choice, and looks again. */
    void removeLauncher(ProcessLauncher removed) {
        launcher.remove(removed);
        probeSoon();
    }

    /** Looks at the host in the background. */
    void probeSoon() {
        lock.lock();
        try {
            if (!closed) {
                prober = new Thread(this::probe, "palyra-sandbox-macos-probe");
                prober.setDaemon(true);
                prober.start();
            }
        } finally {
            lock.unlock();
        }
    }

    private static Path real(String folder) {
        try {
            return Path.of(folder).toRealPath();
        } catch (IOException e) {
            return Path.of(folder).toAbsolutePath().normalize(); // not there yet
        }
    }

    private static Optional<ProcessTable> table() {
        try {
            return Optional.of(LibProc.load());
        } catch (LinkageError | IllegalStateException e) {
            LOG.warn("libproc cannot be used; Tier C stays off.", e);
            return Optional.empty();
        }
    }

    @Override
    public Tier tier() {
        return Tier.C;
    }

    @Override
    public String executor() {
        return "sandbox_tier_c_macos_sandbox_exec";
    }

    @Override
    public BackendStatus status() {
        return found.status();
    }

    @Override
    public BackendStatus probe() {
        probing.lock();
        try {
            found = probe.look();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | LinkageError e) {
            found =
                    new Probe.Found(
                            BackendStatus.refusing(
                                    "This host could not be looked at: " + e + ".",
                                    "Look into the log.",
                                    Map.of()),
                            Optional.empty(),
                            "");
            LOG.warn("The sandbox of macOS could not be probed.", e);
        } finally {
            probing.unlock();
        }
        return found.status();
    }

    @Override
    public void check(SandboxSpec spec) {
        checked(spec);
    }

    private Reading checked(SandboxSpec spec) {
        if (launcher.host().effectiveUid() == 0) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The gateway runs as root, which no profile holds; run it as a user of its"
                            + " own.");
        }
        Probe.Found now = found;
        if (now.reading().isEmpty()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "Tier C of macOS refuses: "
                            + now.status().cause()
                            + (now.status().remedy().isEmpty() ? "" : " " + now.status().remedy()));
        }
        if (!sandboxExec.identity().equals(now.identity())) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    sandboxExec.path()
                            + " has changed since it was tested; have the backend probe again.");
        }
        specCheck.check(spec);
        return now.reading().get();
    }

    @Override
    public SandboxProcess start(SandboxSpec spec) {
        Reading reading = checked(spec);
        SandboxProcess[] started = new SandboxProcess[1];
        started[0] = starter.start(spec, reading, () -> forget(started[0]));
        boolean late;
        lock.lock();
        try {
            late = closed;
            running.add(started[0]);
        } finally {
            lock.unlock();
        }
        if (late) {
            started[0].close();
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "Tier C of macOS is being stopped; try again when it is back.");
        }
        return started[0];
    }

    private void forget(SandboxProcess process) {
        lock.lock();
        try {
            running.remove(process);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<Finding> findings() {
        return Findings.of(found);
    }

    @Deactivate
    void deactivate() {
        List<SandboxProcess> left;
        Thread looking;
        lock.lock();
        try {
            closed = true;
            looking = prober;
            left = new ArrayList<>(running);
        } finally {
            lock.unlock();
        }
        left.forEach(SandboxProcess::close);
        if (looking == null) {
            return;
        }
        looking.interrupt();
        try {
            looking.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
