package palyra.vault.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.BootSeal;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.vault.KnownSecrets;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.api.core.vault.VaultStatus;
import palyra.shared.gate.Gate;
import palyra.vault.internal.known.KnownValues;
import palyra.vault.internal.known.LogRedactor;
import palyra.vault.internal.store.Medium;

/**
 * Offers the vault as a service, and, once every value's fingerprint is known, the service that
 * finds values in text. A new configuration restarts it: with another source the keys are others,
 * and callers wait at their gates meanwhile.
 */
@Component(
        name = "palyra.vault",
        immediate = true,
        configurationPid = "palyra.vault",
        service = {Vault.class, FindingSource.class, MetricSource.class, LoopSource.class})
@Designate(ocd = VaultConfiguration.class)
public final class VaultComponent implements Vault, FindingSource, MetricSource, LoopSource {
    private static final long JOURNAL_MILLIS = 5_000;

    private final BundleContext context;
    private final Gate<Journal> journal =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, JOURNAL_MILLIS);
    private final KnownValues known = new KnownValues();
    private final VaultCore core;
    private final VaultReport report;
    private final VaultBootSeal seal;
    private final VaultWorker work;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<ServiceRegistration<?>> registrations = new ArrayList<>(); // guarded by lock
    private boolean ended; // guarded by lock

    /** Called by the component runtime. */
    @Activate
    public VaultComponent(BundleContext context, VaultConfiguration configuration) {
        this.context = context;
        String state = context.getProperty(Ops.STATE_FOLDER);
        if (state == null || state.isBlank()) {
            throw new PalyraException(
                    ErrorCode.KEYS_UNAVAILABLE,
                    "The framework property "
                            + Ops.STATE_FOLDER
                            + " names no state folder; start the gateway with palyra up.");
        }
        VaultOpener opening =
                new VaultOpener(
                        Path.of(state).toAbsolutePath(),
                        VaultSettings.of(configuration),
                        System.getenv(),
                        new Medium());
        VaultEvents records = new VaultEvents(journal);
        core = new VaultCore(opening, records, known, System::currentTimeMillis, this::rotated);
        report = new VaultReport(core);
        seal = new VaultBootSeal(configuration.sealBootKeys());
        work =
                new VaultWorker(
                        opening, core, new Rotation(core, records), this::opened, this::learned);
    }

    /** Called by the component runtime. */
    @Activate
    public void activate() {
        work.begin();
    }

    private void rotated() {
        work.wake();
    }

    private void opened(OpenVault vault) {
        seal.begin(vault.ring());
        offer(BootSeal.class, seal, Map.of());
    }

    private void learned() {
        offer(KnownSecrets.class, known, Map.of());
        offer(UnaryOperator.class, new LogRedactor(known), Map.of("palyra.log.redactor", true));
    }

    /** Bundles that wait for the service may call it at once, so no lock is held meanwhile. */
    private <S> void offer(Class<S> type, S service, Map<String, ?> properties) {
        ServiceRegistration<?> offered =
                context.registerService(type, service, FrameworkUtil.asDictionary(properties));
        lock.lock();
        try {
            if (!ended) {
                registrations.add(offered);
                return;
            }
        } finally {
            lock.unlock();
        }
        offered.unregister();
    }

    /** Called by the component runtime. */
    @Deactivate
    public void deactivate() {
        List<ServiceRegistration<?>> offered;
        lock.lock();
        try {
            ended = true;
            offered = List.copyOf(registrations);
        } finally {
            lock.unlock();
        }
        offered.forEach(ServiceRegistration::unregister);
        seal.end();
        work.end();
        core.end();
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindJournal(Journal service, Map<String, ?> properties) {
        journal.add(service, properties);
        work.wake();
    }

    /** Called by the component runtime. */
    public void unbindJournal(Journal service) {
        journal.remove(service);
    }

    @Override
    public SecretInfo put(Authorized permit, SecretRef ref, byte[] value, long expectedVersion) {
        return core.put(permit, ref, value, expectedVersion);
    }

    @Override
    public Secret get(Permit permit, SecretRef ref) {
        return core.get(permit, ref);
    }

    @Override
    public boolean delete(Authorized permit, SecretRef ref) {
        return core.delete(permit, ref);
    }

    @Override
    public List<SecretInfo> list(Permit permit, String scope, String afterKey) {
        return core.list(permit, scope, afterKey);
    }

    @Override
    public VaultStatus rotate(Authorized permit) {
        return core.rotate(permit);
    }

    @Override
    public VaultStatus status() {
        return core.status();
    }

    @Override
    public List<Finding> findings() {
        return report.findings();
    }

    @Override
    public List<LoopView> loops() {
        return List.of(work.loop());
    }

    @Override
    public List<Metric> metrics() {
        return report.metrics();
    }
}
