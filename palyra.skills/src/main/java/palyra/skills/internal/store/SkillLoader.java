package palyra.skills.internal.store;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.ledger.LedgerEdit;
import palyra.skills.internal.ledger.SkillRegistry;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.model.ActiveSkills;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillId;

/** The skills that may be used, as the ledger records them. Thread-safe. */
public final class SkillLoader implements ActiveSkills {
    private static final Logger LOG = LoggerFactory.getLogger(SkillLoader.class);

    private final SkillRegistry registry;
    private final AuthorizedChanges changes;
    private final ArtifactVerifier verifier;
    private final ActiveSkillListeners listeners;
    private final GatewayVersion gateway;
    private final LongSupplier clock;

    /** Versions that are to be in quarantine and could not be recorded so yet, with the reason. */
    private final Map<SkillId, String> suspended = new ConcurrentHashMap<>();

    private final LongAdder loads = new LongAdder();
    private final LongAdder refusals = new LongAdder();

    /**
     * @param changes changes of the gateway's own; tells the watchers
     * @param gateway what skills have to be made for
     */
    public SkillLoader(
            SkillRegistry registry,
            AuthorizedChanges changes,
            ArtifactVerifier verifier,
            ActiveSkillListeners listeners,
            GatewayVersion gateway,
            LongSupplier clock) {
        this.registry = registry;
        this.changes = changes;
        this.verifier = verifier;
        this.listeners = listeners;
        this.gateway = gateway;
        this.clock = clock;
    }

    @Override
    public LoadedSkill load(SkillId id) {
        loads.increment();
        Inventory inventory = inventory();
        SkillRecord record = inventory.get(id);
        requireUsable(record);
        Artifact artifact = checked(inventory, record);
        requireFit(artifact);
        return artifact.loaded(inventory.trusted(id.skill()), inventory.engine(id.skill()));
    }

    private Artifact checked(Inventory inventory, SkillRecord record) {
        try {
            return verifier.check(inventory.rows(), record);
        } catch (RefusedException e) {
            refusals.increment();
            quarantine(record.id(), e.reason(), e.getMessage());
            throw e.as(ErrorCode.DENIED);
        }
    }

    /**
     * Nothing is wrong with a version that is made for another Palyra: it stays approved, and runs
     * again when the gateway fits.
     */
    private void requireFit(Artifact artifact) {
        try {
            gateway.requireFit(artifact.manifest());
        } catch (RefusedException e) {
            refusals.increment();
            throw e.as(ErrorCode.DENIED);
        }
    }

    private Inventory inventory() {
        try {
            return new Inventory(registry.read());
        } catch (RefusedException e) {
            refusals.increment();
            listeners.notifyListeners(this::active); // running calls must stop
            throw e.as(ErrorCode.DENIED);
        }
    }

    private void requireUsable(SkillRecord record) {
        String waiting = suspended.get(record.id());
        if (waiting != null || !record.active()) {
            refusals.increment();
            String reason =
                    waiting != null
                            ? waiting
                            : record.standing().reason().isEmpty()
                                    ? record.standing().state().text()
                                    : record.standing().reason();
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The skill "
                            + record.id()
                            + " is "
                            + (waiting != null
                                    ? SkillState.QUARANTINED.text()
                                    : record.standing().state().text())
                            + " and does not run ("
                            + reason
                            + ").");
        }
    }

    /** No skill is active while the ledger cannot be read. */
    @Override
    public List<SkillId> active() {
        if (!registry.reachable()) {
            return List.of(); // a start must not wait here; listeners learn of the ledger later
        }
        try {
            return new Inventory(registry.read())
                    .all().stream()
                            .filter(SkillRecord::active)
                            .map(SkillRecord::id)
                            .filter(id -> !suspended.containsKey(id))
                            .toList();
        } catch (RefusedException | PalyraException e) {
            LOG.debug("No skill is active: {}", e.getMessage());
            return List.of();
        }
    }

    @Override
    public AutoCloseable watch(Consumer<List<SkillId>> listener) {
        AutoCloseable end = listeners.add(listener);
        arrived();
        return end;
    }

    /** Notifies listeners after a service came that may have been missing. */
    public void arrived() {
        if (registry.reachable()) {
            notifyListeners();
        }
    }

    /** Notifies listeners of the active skills. */
    public void notifyListeners() {
        listeners.notifyListeners(this::active);
    }

    @Override
    public void quarantine(SkillId id, String reasonCode, String detail) {
        suspended.put(id, reasonCode);
        LOG.warn("The skill {} goes into quarantine: {} ({})", id, detail, reasonCode);
        notifyListeners();
        record(id, reasonCode, detail);
    }

    private void record(SkillId id, String reasonCode, String detail) {
        try {
            changes.bySystem(
                    inventory -> {
                        LedgerEdit edit = new LedgerEdit();
                        inventory
                                .find(id)
                                .filter(SkillRecord::active)
                                .map(
                                        record ->
                                                record.standing(
                                                        SkillState.QUARANTINED,
                                                        reasonCode,
                                                        detail,
                                                        clock.getAsLong()))
                                .ifPresent(
                                        record ->
                                                AuthorizedChanges.move(
                                                        edit, record, AuthorizedChanges.SYSTEM));
                        return edit;
                    });
            suspended.remove(id);
        } catch (RefusedException | PalyraException e) {
            LOG.warn(
                    "That {} is in quarantine could not be recorded ({}); it stays so until the"
                            + " gateway can.",
                    id,
                    e.getMessage());
        }
    }

    /** Records quarantines that could not be recorded when they came up. */
    public void recordWaiting() {
        suspended.forEach((id, reason) -> record(id, reason, "Recorded late."));
    }

    /** Checks every active version; those that fail go into quarantine. */
    public void recheck() {
        Inventory inventory = inventory();
        for (SkillRecord record : inventory.all()) {
            if (record.active()) {
                try {
                    verifier.check(inventory.rows(), record);
                } catch (RefusedException e) {
                    quarantine(record.id(), e.reason(), e.getMessage());
                }
            }
        }
    }

    /** Returns how often a skill was asked for since the start. */
    public long loads() {
        return loads.sum();
    }

    /** Returns how often that was refused. */
    public long refusals() {
        return refusals.sum();
    }
}
