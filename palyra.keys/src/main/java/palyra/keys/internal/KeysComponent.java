package palyra.keys.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
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
import palyra.api.core.keys.BootSeal;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * Offers the boot keys as a service once they are open, which is at once unless they are sealed
 * under the vault; once open they need the vault no more. When they cannot be opened nothing is
 * offered and the reason is reported: nothing that needs a key continues without one.
 */
@Component(
        name = "palyra.keys",
        immediate = true,
        service = {FindingSource.class, MetricSource.class, LoopSource.class})
public final class KeysComponent implements FindingSource, MetricSource, LoopSource {
    private static final Logger LOG = LoggerFactory.getLogger(KeysComponent.class);
    private static final long RETRY_MILLIS = 2_000;
    private static final long END_MILLIS = 5_000;
    private static final String CREDENTIALS_DIRECTORY = "CREDENTIALS_DIRECTORY";
    private static final String CREDENTIAL = "palyra-boot-keys";

    /** Secret that the key file in the state folder is sealed under. */
    private static final String WRAP = "palyra-boot-wrap";

    private final BundleContext context;
    private final KeyFileSeal seal;
    private final KeyFolder folder;

    private final ReentrantLock lock = new ReentrantLock();
    private BootSeal vault; // guarded by lock
    private ServiceRegistration<Keys> offered; // guarded by lock
    private boolean ended; // guarded by lock
    private final Condition ending = lock.newCondition();
    private volatile SupervisedLoop retrying; // set under lock; null while nothing is tried again
    private volatile Optional<BootKeys> keys = Optional.empty(); // written under lock
    private volatile String problem = "";

    /** Opens the keys of this gateway's state. */
    @Activate
    public KeysComponent(BundleContext context) {
        this(context, System.getenv(CREDENTIALS_DIRECTORY));
    }

    KeysComponent(BundleContext context, String directory) {
        this.context = context;
        String state = context.getProperty(Ops.STATE_FOLDER);
        if (state == null || state.isBlank()) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "The framework property "
                            + Ops.STATE_FOLDER
                            + " names no state folder; start the gateway with palyra up.");
        }
        seal = BootKeys.seal(credential(directory, WRAP));
        folder = new KeyFolder(Path.of(state), credential(directory), seal);
    }

    /** Returns the credential's file when the service manager handed one in. */
    static Optional<Path> credential(String directory) {
        return credential(directory, CREDENTIAL);
    }

    private static Optional<Path> credential(String directory, String name) {
        return Optional.ofNullable(directory)
                .filter(text -> !text.isBlank())
                .map(text -> Path.of(text).resolve(name))
                .filter(Files::exists);
    }

    /** Called by the component runtime. */
    @Activate
    public void activate() {
        lock.lock();
        try {
            if (keys.isEmpty()) {
                open();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A failure is reported, and retried when the vault arrives. */
    private void open() {
        try {
            if (waits()) {
                problem = "The boot keys are sealed under the vault, which is not open yet.";
                LOG.info("{}", problem);
                return;
            }
            BootKeys opened = BootKeys.open(folder);
            keys = Optional.of(opened);
            problem = "";
            offered = context.registerService(Keys.class, opened, null);
        } catch (Error e) {
            keys = Optional.empty(); // not offered yet
            throw e;
        } catch (PalyraException e) {
            if (!problem.equals(e.getMessage())) {
                LOG.error("{}", e.getMessage());
            }
            problem = e.getMessage();
            if (e.getCause() instanceof IOException) {
                tryAgainLater();
            }
        }
    }

    /** What a medium does not take now it may take later; the caller holds the lock. */
    private void tryAgainLater() {
        if (retrying == null) {
            LoopSpec spec = LoopSpec.of("palyra-keys-retry", "palyra.keys");
            retrying = new SupervisedLoop(spec, this::tryAgain).start();
        }
    }

    private void tryAgain(Heartbeat pulse) throws InterruptedException {
        lock.lock();
        try {
            while (!ended && keys.isEmpty()) {
                pulse.idle();
                ending.await(RETRY_MILLIS, TimeUnit.MILLISECONDS);
                if (!ended && keys.isEmpty()) {
                    pulse.beat();
                    open();
                }
            }
            retrying = null;
        } finally {
            lock.unlock();
        }
    }

    /** Opens a file that cannot be inspected, so that the failure names the cause. */
    private boolean waits() {
        try {
            return folder.waitsForVault();
        } catch (IOException | PalyraException e) {
            LOG.debug("The key file cannot be looked at.", e);
            return false;
        }
    }

    /** Called by the component runtime. */
    @Deactivate
    public void deactivate() {
        SupervisedLoop last;
        lock.lock();
        try {
            ended = true;
            last = retrying;
            ending.signalAll();
            if (offered != null) {
                offered.unregister();
                offered = null;
            }
        } finally {
            lock.unlock();
        }
        await(last);
    }

    private static void await(SupervisedLoop last) {
        try {
            if (last != null) {
                last.stop();
                last.join(END_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindVault(BootSeal service) {
        lock.lock();
        try {
            vault = service;
            seal.vault(Optional.of(service));
            if (keys.isPresent()) {
                settle(keys.get());
            } else if (!ended) {
                open();
            }
        } finally {
            lock.unlock();
        }
    }

    private void settle(BootKeys opened) {
        try {
            if (opened.settle()) {
                LOG.info("The key file of the boot keys was rewritten, as configured.");
            }
            problem = "";
        } catch (IOException | PalyraException e) {
            problem = "The key file of the boot keys could not be rewritten: " + e;
            LOG.error("{}", problem);
        }
    }

    /** Called by the component runtime. */
    public void unbindVault(BootSeal service) {
        lock.lock();
        try {
            if (vault == service) {
                vault = null;
                seal.vault(Optional.empty());
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<Finding> findings() {
        String found = problem;
        if (found.isEmpty()) {
            return List.of();
        }
        return List.of(
                keys.isEmpty()
                        ? new Finding(
                                Severity.ERROR,
                                "keys",
                                found,
                                "Until then nothing can be signed and nothing runs.")
                        : new Finding(
                                Severity.WARNING,
                                "keys",
                                found,
                                "The keys are in use as before; the file is tried again when the"
                                        + " vault is reopened, or at the next start."));
    }

    @Override
    public List<LoopView> loops() {
        SupervisedLoop now = retrying;
        return now == null ? List.of() : List.of(now.view());
    }

    @Override
    public List<Metric> metrics() {
        return keys.map(BootKeys::metrics).orElse(List.of());
    }

    @Override
    public String toString() {
        return keys.map(BootKeys::toString).orElse("KeysComponent[closed]");
    }
}
