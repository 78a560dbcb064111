package palyra.shell.internal.host;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.approval.Approvals;
import palyra.api.core.access.Access;
import palyra.api.core.access.Accounts;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.keys.Keys;
import palyra.api.core.vault.Vault;
import palyra.api.run.Runs;
import palyra.shared.gate.Gate;

/**
 * Gates to the services of other bundles that commands use. A command waits at the gate while a
 * service is absent.
 */
@Component(service = Seams.class)
public final class Seams {
    /** How long a command waits for a service that is away: longer than a swap takes. */
    private static final long WAIT_MILLIS = 10_000;

    private final long waitMillis;
    private final Gate<Access> access;
    private final Gate<Accounts> accounts;
    private final Gate<Runs> runs;
    private final Gate<Approvals> approvals;
    private final Gate<AgentRegistry> agents;
    private final Gate<Intake> intake;
    private final Gate<Journal> journal;
    private final Gate<LiveFeed> feed;
    private final Gate<TapeVerifier> verifier;
    private final Gate<Keys> keys;
    private final Gate<Vault> vault;
    private final LastShown lastShown = new LastShown();

    /** Verifiers that are not about to leave; a verification under way stops when its own goes. */
    private final Set<TapeVerifier> staying = ConcurrentHashMap.newKeySet();

    /** Creates it for the component runtime. */
    @Activate
    public Seams() {
        this(WAIT_MILLIS);
    }

    /** Creates it with another patience. */
    public Seams(long waitMillis) {
        this.waitMillis = waitMillis;
        access = new Gate<>("access control", ErrorCode.POLICY_UNAVAILABLE, waitMillis);
        accounts = new Gate<>("access control", ErrorCode.POLICY_UNAVAILABLE, waitMillis);
        runs = new Gate<>("the front of the gateway", ErrorCode.GATEWAY_UNAVAILABLE, waitMillis);
        approvals =
                new Gate<>("the front of the gateway", ErrorCode.GATEWAY_UNAVAILABLE, waitMillis);
        agents = new Gate<>("the agent registry", ErrorCode.GATEWAY_UNAVAILABLE, waitMillis);
        intake = new Gate<>("the gateway", ErrorCode.GATEWAY_UNAVAILABLE, waitMillis);
        journal = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, waitMillis);
        feed = new Gate<>("the journal's feed", ErrorCode.JOURNAL_UNAVAILABLE, waitMillis);
        verifier = new Gate<>("the tape verifier", ErrorCode.JOURNAL_UNAVAILABLE, waitMillis);
        keys = new Gate<>("the key store", ErrorCode.KEYS_UNAVAILABLE, waitMillis);
        vault = new Gate<>("the vault", ErrorCode.KEYS_UNAVAILABLE, waitMillis);
    }

    /** Returns how long a command waits for what is away, in milliseconds. */
    public long waitMillis() {
        return waitMillis;
    }

    /** Returns the seam to permission. */
    public Gate<Access> access() {
        return access;
    }

    /** Returns the seam to accounts of the console. */
    public Gate<Accounts> accounts() {
        return accounts;
    }

    /** Returns the seam to runs. */
    public Gate<Runs> runs() {
        return runs;
    }

    /** Returns the seam to questions and their answers. */
    public Gate<Approvals> approvals() {
        return approvals;
    }

    /** Returns which approval request each caller looked at last. */
    public LastShown lastShown() {
        return lastShown;
    }

    /** Returns the seam to the agents. */
    public Gate<AgentRegistry> agents() {
        return agents;
    }

    /** Returns the seam to the gateway. */
    public Gate<Intake> intake() {
        return intake;
    }

    /** Returns the seam to the journal. */
    public Gate<Journal> journal() {
        return journal;
    }

    /** Returns the seam to the journal's hints. */
    public Gate<LiveFeed> feed() {
        return feed;
    }

    /** Returns the seam to the keys. */
    public Gate<Keys> keys() {
        return keys;
    }

    /** Returns the seam to the secrets. */
    public Gate<Vault> vault() {
        return vault;
    }

    /**
     * Verifies under a lease. A verification may take long, so it stops when the verifier is
     * withdrawn; its result is incomplete then.
     */
    public <R> R verify(BooleanSupplier stop, Verification<R> verification) {
        try (Gate.Lease<TapeVerifier> lease = verifier.lease()) {
            TapeVerifier service = lease.service();
            return verification.with(
                    service, () -> stop.getAsBoolean() || !staying.contains(service));
        }
    }

    /** One verification. */
    @FunctionalInterface
    public interface Verification<R> {
        /** Verifies; {@code cancelled} is asked between records. */
        R with(TapeVerifier verifier, BooleanSupplier cancelled);
    }

    /** Makes a call when the service is there now, without waiting for it. */
    public static <T, R> Optional<R> ifPresent(Gate<T> gate, Function<T, R> call) {
        if (!gate.isPresent()) {
            return Optional.empty();
        }
        try (Gate.Lease<T> lease = gate.lease(0)) {
            return Optional.ofNullable(call.apply(lease.service()));
        } catch (PalyraException e) {
            if (e.code().kind() == ErrorCode.Kind.UNAVAILABLE) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindAccess(Access service, Map<String, Object> properties) {
        access.add(service, properties);
    }

    public void unbindAccess(Access service) {
        access.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindAccounts(Accounts service, Map<String, Object> properties) {
        accounts.add(service, properties);
    }

    public void unbindAccounts(Accounts service) {
        accounts.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindRuns(Runs service, Map<String, Object> properties) {
        runs.add(service, properties);
    }

    public void unbindRuns(Runs service) {
        runs.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindApprovals(Approvals service, Map<String, Object> properties) {
        approvals.add(service, properties);
    }

    public void unbindApprovals(Approvals service) {
        approvals.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindAgents(AgentRegistry service, Map<String, Object> properties) {
        agents.add(service, properties);
    }

    public void unbindAgents(AgentRegistry service) {
        agents.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindIntake(Intake service, Map<String, Object> properties) {
        intake.add(service, properties);
    }

    public void unbindIntake(Intake service) {
        intake.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindJournal(Journal service, Map<String, Object> properties) {
        journal.add(service, properties);
    }

    public void unbindJournal(Journal service) {
        journal.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindFeed(LiveFeed service, Map<String, Object> properties) {
        feed.add(service, properties);
    }

    public void unbindFeed(LiveFeed service) {
        feed.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindKeys(Keys service, Map<String, Object> properties) {
        keys.add(service, properties);
    }

    public void unbindKeys(Keys service) {
        keys.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindVault(Vault service, Map<String, Object> properties) {
        vault.add(service, properties);
    }

    public void unbindVault(Vault service) {
        vault.remove(service);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindVerifier(TapeVerifier service, Map<String, Object> properties) {
        staying.add(service);
        verifier.add(service, properties);
    }

    public void unbindVerifier(TapeVerifier service) {
        staying.remove(service);
        verifier.remove(service);
    }
}
