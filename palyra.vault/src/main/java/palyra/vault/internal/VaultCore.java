package palyra.vault.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Permit;
import palyra.api.core.access.Authorized;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.api.core.vault.VaultStatus;
import palyra.vault.internal.known.KnownValues;
import palyra.vault.internal.store.Change;
import palyra.vault.internal.store.Entry;
import palyra.vault.internal.store.Failures;

/** The vault without any framework. Thread-safe. */
final class VaultCore implements Vault {
    private static final Logger LOG = LoggerFactory.getLogger(VaultCore.class);
    private final VaultOpener opening;
    private final VaultEvents records;

    /** Why the journal says that this is not the newest state; null when it does not. */
    private volatile PalyraException refusal;

    private final KnownValues known;
    private final LongSupplier clock;
    private final LongAdder uses = new LongAdder();
    private final LongAdder changes = new LongAdder();
    private final Runnable onRotation;

    /** Held for a change from its record to its end; never while a secret is only read. */
    private final ReentrantLock writing = new ReentrantLock();

    /**
     * Creates it.
     *
     * @param onRotation is run when there is a new master key to wrap by
     */
    VaultCore(
            VaultOpener opening,
            VaultEvents records,
            KnownValues known,
            LongSupplier clock,
            Runnable onRotation) {
        this.opening = opening;
        this.records = records;
        this.known = known;
        this.clock = clock;
        this.onRotation = onRotation;
    }

    private void require(Permit permit, Set<String> actions, String resource) {
        Require.present(permit, "permit");
        String expected =
                actions.contains(permit.action()) ? permit.action() : actions.iterator().next();
        permit.requireFor(expected, System.currentTimeMillis());
        if (!permit.resource().equals(resource)) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The permit is for '"
                            + permit.resource()
                            + "', not for '"
                            + resource
                            + "'; request a permit for that.");
        }
    }

    /** Returns the vault when it is open and no older than the journal knows. */
    OpenVault anchored() {
        OpenVault vault = opening.require();
        if (!vault.anchored()) {
            try {
                records.requireNewest(vault, opening.settings().acceptState());
                refusal = null;
            } catch (PalyraException e) {
                refusal =
                        e.code() == ErrorCode.CORRUPT
                                ? e
                                : null; // a journal that is away is no fault
                throw e;
            }
            writing.lock();
            try {
                if (!vault.anchored()) {
                    vault.store().sweep();
                    vault.setAnchored();
                }
            } catch (IOException e) {
                throw Failures.write(opening.folder(), e);
            } finally {
                writing.unlock();
            }
        }
        return vault;
    }

    @Override
    public SecretInfo put(Authorized permit, SecretRef ref, byte[] value, long expectedVersion) {
        try {
            Require.present(ref, "secret reference");
            Require.that(
                    value != null && value.length >= 1 && value.length <= MAX_VALUE_BYTES,
                    "a secret has 1 to " + MAX_VALUE_BYTES + " bytes");
            require(
                    Require.present(permit, "permit").permit(),
                    Set.of("vault.put"),
                    ref.resource());
            writing.lock();
            try {
                return kept(anchored(), permit, ref, value, expectedVersion);
            } finally {
                writing.unlock();
            }
        } finally {
            if (value != null) {
                Arrays.fill(value, (byte) 0);
            }
        }
    }

    private SecretInfo kept(
            OpenVault vault, Authorized permit, SecretRef ref, byte[] value, long expected) {
        Optional<SecretInfo> before = vault.store().find(ref).map(Entry::info);
        long there = before.map(SecretInfo::version).orElse(0L);
        if (expected >= 0 && expected != there) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    ref
                            + " was expected at version "
                            + expected
                            + " and is at version "
                            + there
                            + "; read it and put it again.");
        }
        long now = clock.getAsLong();
        SecretInfo info =
                new SecretInfo(
                        ref,
                        there + 1,
                        value.length,
                        before.map(SecretInfo::createdAtMillis).orElse(now),
                        now,
                        permit.permit().principal().id(),
                        vault.ring().current());
        records.announce(vault, permit, VaultEvents.PUT, VaultEvents.about(info, permit.permit()));
        byte[] key = vault.ring().masterKey(info.keyVersion()).orElseThrow();
        byte[] content = vault.envelope().seal(key, info, value);
        known.put(ref, value); // before it can be used, so that it is never missed
        boolean written = false;
        try {
            vault.store().write(List.of(new Change.Put(info, content)), info.keyVersion());
            written = true;
        } finally {
            if (!written) {
                learn(ref); // whichever of the two is there now
            }
        }
        records.done(vault);
        changes.increment();
        return info;
    }

    @Override
    public Secret get(Permit permit, SecretRef ref) {
        Require.present(ref, "secret reference");
        require(permit, Set.of("vault.get", "vault.reveal"), ref.resource());
        OpenVault vault = anchored();
        Entry entry = vault.store().find(ref).orElseThrow(() -> missing(ref));
        records.used(entry.info(), permit);
        OpenVault.Value value = vault.value(entry).orElseThrow(() -> missing(ref));
        uses.increment();
        return new LentSecret(value.info(), value.bytes());
    }

    private static PalyraException missing(SecretRef ref) {
        return new PalyraException(
                ErrorCode.NOT_FOUND,
                "Secret not found: " + ref + "; an operator stores it with palyra vault put.");
    }

    @Override
    public boolean delete(Authorized permit, SecretRef ref) {
        Require.present(ref, "secret reference");
        Permit given = Require.present(permit, "permit").permit();
        require(given, Set.of("vault.delete"), ref.resource());
        writing.lock();
        try {
            OpenVault vault = anchored();
            Optional<Entry> there = vault.store().find(ref);
            if (there.isEmpty()) {
                return false;
            }
            SecretInfo info = there.get().info();
            records.announce(vault, permit, VaultEvents.DELETED, VaultEvents.about(info, given));
            vault.store().write(List.of(new Change.Remove(ref)), vault.ring().current());
            records.done(vault);
            known.remove(ref);
            changes.increment();
            return true;
        } finally {
            writing.unlock();
        }
    }

    @Override
    public List<SecretInfo> list(Permit permit, String scope, String afterKey) {
        String asked = Require.orEmpty(scope);
        if (!asked.isEmpty()) {
            new SecretRef(asked, "any"); // checks the scope
        }
        String resource = SecretRef.PREFIX + (asked.isEmpty() ? "" : asked + "/");
        require(permit, Set.of("vault.list"), resource);
        return anchored().store().list(asked, Require.orEmpty(afterKey), MAX_LIST);
    }

    @Override
    public VaultStatus rotate(Authorized permit) {
        Permit given = Require.present(permit, "permit").permit();
        require(given, Set.of("vault.rotate"), SecretRef.PREFIX);
        writing.lock();
        try {
            OpenVault vault = anchored();
            ObjectNode about = JsonNodeFactory.instance.objectNode();
            about.put("vault", vault.ring().vaultId());
            about.put("from", vault.ring().current());
            about.put("principal", given.principal().id());
            about.put("permitId", given.permitId());
            records.announce(vault, permit, VaultEvents.KEY_ROTATED, about);
            vault.rotate();
        } catch (IOException e) {
            opening.present().ifPresent(open -> open.store().doubt());
            throw Failures.write(opening.folder(), e);
        } finally {
            writing.unlock();
        }
        onRotation.run();
        return status();
    }

    /** Makes the value of a secret, as it is kept now, one that is found in texts. */
    void learn(SecretRef ref) {
        writing.lock();
        try {
            Optional<Entry> entry = opening.require().store().find(ref);
            known.remove(ref);
            entry.flatMap(opening.require()::value)
                    .ifPresent(
                            value -> {
                                known.put(ref, value.bytes());
                                Arrays.fill(value.bytes(), (byte) 0);
                            });
        } catch (PalyraException e) {
            LOG.warn("{}", e.getMessage());
        } finally {
            writing.unlock();
        }
    }

    /** Gives the lock under which the vault changes to a piece of a rotation. */
    <T> T changing(Function<OpenVault, T> change) {
        writing.lock();
        try {
            return change.apply(anchored());
        } finally {
            writing.unlock();
        }
    }

    @Override
    public VaultStatus status() {
        String source = opening.settings().keys().source();
        Optional<OpenVault> vault = opening.present();
        if (vault.isEmpty()) {
            String problem =
                    opening.failure()
                            .map(PalyraException::getMessage)
                            .orElse("The vault is being opened; ask again in a moment.");
            return new VaultStatus(false, problem, source, 0, 0, 0);
        }
        OpenVault there = vault.get();
        PalyraException refused = there.anchored() ? null : refusal;
        String problem =
                there.store().doubtful()
                        ? "The last write failed; the vault is opened again at its next use."
                        : refused == null ? "" : refused.getMessage();
        return new VaultStatus(
                problem.isEmpty(),
                problem,
                source,
                there.ring().current(),
                there.store().size(),
                there.pending());
    }

    long uses() {
        return uses.sum();
    }

    long changes() {
        return changes.sum();
    }

    /** Waits for a change under way, then closes. */
    void end() {
        writing.lock();
        try {
            opening.end();
        } finally {
            writing.unlock();
        }
    }
}
