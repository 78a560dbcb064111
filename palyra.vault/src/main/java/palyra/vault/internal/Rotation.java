package palyra.vault.internal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.vault.SecretInfo;
import palyra.vault.internal.store.Change;
import palyra.vault.internal.store.Entry;

/**
 * Wraps the keys of secrets by the newest master key, a few at a time, while secrets are used; then
 * drops the older master keys. It begins again wherever a crash stopped it. For one thread.
 */
final class Rotation {
    private static final Logger LOG = LoggerFactory.getLogger(Rotation.class);
    private static final int BATCH = 32;

    private final VaultCore core;
    private final VaultEvents records;
    private final Set<String> damaged = new HashSet<>();

    Rotation(VaultCore core, VaultEvents records) {
        this.core = core;
        this.records = records;
    }

    /** Wraps a few; returns whether there is more to do. */
    boolean step() {
        return core.changing(this::step);
    }

    private boolean step(OpenVault vault) {
        if (vault.ring().versions().size() == 1) {
            return false;
        }
        List<Change> changes = new ArrayList<>();
        for (Entry entry : vault.store().all()) {
            boolean old = entry.info().keyVersion() != vault.ring().current();
            if (old && changes.size() < BATCH && !damaged.contains(entry.file())) {
                rewrapped(vault, entry).ifPresent(changes::add);
            }
        }
        if (!changes.isEmpty()) {
            records.announceRewrap(vault, changes.size());
            vault.store().write(changes, vault.ring().current());
            records.done(vault);
            return true;
        }
        if (vault.pending() == 0) {
            retire(vault);
        }
        return false;
    }

    private Optional<Change> rewrapped(OpenVault vault, Entry entry) {
        SecretInfo before = entry.info();
        int current = vault.ring().current();
        SecretInfo after =
                new SecretInfo(
                        before.ref(),
                        before.version(),
                        before.bytes(),
                        before.createdAtMillis(),
                        before.updatedAtMillis(),
                        before.updatedBy(),
                        current);
        Optional<byte[]> content =
                vault.content(entry)
                        .flatMap(
                                bytes ->
                                        vault.ring()
                                                .masterKey(before.keyVersion())
                                                .flatMap(
                                                        key ->
                                                                vault.envelope()
                                                                        .rewrap(
                                                                                key,
                                                                                before,
                                                                                newest(vault),
                                                                                after,
                                                                                bytes)));
        if (content.isEmpty()) {
            damaged.add(entry.file());
            LOG.warn("{}", OpenVault.damaged(entry).getMessage());
        }
        return content.map(bytes -> new Change.Put(after, bytes));
    }

    private static byte[] newest(OpenVault vault) {
        return vault.ring().masterKey(vault.ring().current()).orElseThrow();
    }

    private static void retire(OpenVault vault) {
        try {
            vault.retire();
        } catch (IOException | PalyraException e) {
            LOG.warn("The old master keys are kept for now: {}", e.toString());
        }
    }
}
