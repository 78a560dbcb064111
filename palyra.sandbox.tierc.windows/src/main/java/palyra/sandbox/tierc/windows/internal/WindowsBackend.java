package palyra.sandbox.tierc.windows.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;
import palyra.shared.files.TemporaryFolder;
import palyra.shared.hash.Digests;

/**
 * Tier B on Windows, by job objects: quotas and a whole kill, no isolation. Only for commands whose
 * policy accepts that, see {@link SpecCheck}. Layouts and calls are verified without Windows; this
 * was not run on hardware.
 */
@Component(
        service = {SandboxBackend.class, FindingSource.class},
        immediate = true)
public final class WindowsBackend implements SandboxBackend, FindingSource {
    private static final long STOP_MILLIS = 10_000;

    private final Windows windows;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<SandboxProcess> running = new HashSet<>(); // guarded by lock
    private boolean closed; // guarded by lock
    private final ReentrantLock probing = new ReentrantLock();
    private final Thread firstProbe;
    private volatile BackendStatus status = BackendStatus.probing();

    /** Starts, and looks at the host in the background. */
    @Activate
    public WindowsBackend() {
        this(Windows.here());
        probeSoon();
    }

    WindowsBackend(Windows windows) {
        this.windows = windows;
        this.firstProbe = new Thread(this::probe, "palyra-sandbox-windows-probe");
        firstProbe.setDaemon(true);
    }

    /** Looks at the host in the background, once. */
    void probeSoon() {
        firstProbe.start();
    }

    @Override
    public Tier tier() {
        return Tier.B; // a job limits; what isolates would be Tier C
    }

    @Override
    public String executor() {
        return "sandbox_tier_c_windows_job_object";
    }

    @Override
    public BackendStatus status() {
        return status;
    }

    @Override
    public BackendStatus probe() {
        probing.lock();
        try {
            status = look();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | LinkageError e) {
            status =
                    BackendStatus.refusing(
                            "This host could not be looked at: " + e + ".",
                            "Correct that, then have the sandboxes look again.",
                            Map.of());
        } finally {
            probing.unlock();
        }
        return status;
    }

    private BackendStatus look() throws InterruptedException {
        Map<String, String> facts = new TreeMap<>();
        facts.put("isolation", "none");
        facts.put("evidence", "layouts and a fake, not run on hardware");
        if (windows.kernel().isEmpty()) {
            return BackendStatus.refusing(
                    windows.problem(), "Use the backend of this system.", facts);
        }
        facts.put("windows", windows.version());
        if (windows.administrator().getAsBoolean()) {
            return BackendStatus.refusing(
                    "The gateway runs with an administrator's rights, which no job holds.",
                    "Run it as a user of its own.",
                    facts);
        }
        Optional<String> problem = new SelfTest(windows.kernel().get(), windows).problem();
        if (problem.isPresent()) {
            return BackendStatus.refusing(
                    problem.get(), "Look at the limits and policies of this user.", facts);
        }
        facts.put("job", "works");
        return BackendStatus.ready(
                facts, Digests.sha256Hex("palyra.sandbox.windows.v1 " + windows.version()));
    }

    @Override
    public void check(SandboxSpec spec) {
        checked(spec);
    }

    private Kernel32 checked(SandboxSpec spec) {
        if (windows.administrator().getAsBoolean()) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The gateway runs with an administrator's rights, which no job holds; run it as"
                            + " a user of its own.");
        }
        BackendStatus now = status;
        Optional<Kernel32> kernel = windows.kernel();
        if (now.state() != BackendStatus.State.READY || kernel.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "Job objects refuse: " + now.cause() + " " + now.remedy());
        }
        SpecCheck.check(spec);
        return kernel.get();
    }

    @Override
    public SandboxProcess start(SandboxSpec spec) {
        Kernel32 kernel = checked(spec);
        TemporaryFolder scratch = TemporaryFolder.make();
        JobProcess process;
        try {
            JobSpawner.Order order =
                    SpecCheck.order(spec, windows.variables(scratch.path().toString()));
            JobProcess[] started = new JobProcess[1];
            started[0] =
                    new JobProcess(
                            kernel,
                            new JobSpawner(kernel).spawn(order),
                            enforcement(spec),
                            () -> {
                                scratch.close();
                                forget(started[0]);
                            });
            process = started[0];
        } catch (RuntimeException | Error e) {
            scratch.close();
            throw e;
        }
        return remembered(process);
    }

    private SandboxProcess remembered(JobProcess process) {
        boolean late;
        lock.lock();
        try {
            late = closed;
            running.add(process);
        } finally {
            lock.unlock();
        }
        if (late) {
            process.close();
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "Job objects are being stopped; try again when they are back.");
        }
        return process;
    }

    private void forget(SandboxProcess process) {
        lock.lock();
        try {
            running.remove(process);
        } finally {
            lock.unlock();
        }
    }

    private static String enforcement(SandboxSpec spec) {
        return spec.egress().name().toLowerCase(Locale.ROOT)
                + " sandbox=job-object isolation=none egress=open ports=open files=open"
                + " memory=job cpu=job processes=job kill=job filesize=unbounded"
                + " openfiles=unbounded scratch=unbounded protected=0 evidence=fake";
    }

    @Override
    public List<Finding> findings() {
        BackendStatus now = status;
        if (now.state() == BackendStatus.State.REFUSING) {
            return List.of(
                    new Finding(
                            Severity.WARNING,
                            "sandbox",
                            "Job objects refuse every command: " + now.cause(),
                            now.remedy()));
        }
        return List.of(
                new Finding(
                        Severity.WARNING,
                        "sandbox",
                        "Tier B on Windows limits and kills commands but isolates nothing, and was"
                                + " not run on hardware by its authors.",
                        "Permit landlock and seccomp to be missing only for commands that you"
                                + " trust."));
    }

    @Deactivate
    void deactivate() {
        List<SandboxProcess> left;
        lock.lock();
        try {
            closed = true;
            left = new ArrayList<>(running);
        } finally {
            lock.unlock();
        }
        firstProbe.interrupt();
        left.forEach(SandboxProcess::close);
        try {
            firstProbe.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
