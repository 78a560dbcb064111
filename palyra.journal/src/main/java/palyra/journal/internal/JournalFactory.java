package palyra.journal.internal;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import palyra.api.ErrorCode;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;

/** Opens stores without the framework, for tests and benchmarks. */
public final class JournalFactory {
    private JournalFactory() {}

    /**
     * Opens the store under a state folder and returns once it is open; it implements Journal,
     * LiveFeed, TapeVerifier and MetricSource. Leases of no start of the process are free early.
     *
     * @throws palyra.api.PalyraException the store's own refusal when it cannot be opened
     */
    public static SqliteJournal open(Path stateFolder, Keys keys) {
        return open(
                JournalSettings.under(stateFolder, ""),
                keys,
                InstantSource.system(),
                System::nanoTime);
    }

    /** Opens a store with settings and a clock of one's own, which moves and never jumps. */
    public static SqliteJournal open(JournalSettings settings, Keys keys, InstantSource clock) {
        return open(settings, keys, clock, () -> TimeUnit.MILLISECONDS.toNanos(clock.millis()));
    }

    /** As above, with a monotonic clock of one's own too. */
    public static SqliteJournal open(
            JournalSettings settings, Keys keys, InstantSource clock, LongSupplier nanos) {
        SqliteJournal journal = new SqliteJournal(settings, gate(keys), clock, nanos);
        try {
            journal.awaitOpening();
            if (journal.status().state() == JournalStatus.State.STOPPED) {
                throw journal.refusal();
            }
            return journal;
        } catch (RuntimeException e) {
            journal.close();
            throw e;
        }
    }

    /** Returns a gate with a key store that stays; without one when it is null. */
    public static Gate<Keys> gate(Keys keys) {
        Gate<Keys> gate = new Gate<>("the key store", ErrorCode.KEYS_UNAVAILABLE, 2_000);
        if (keys != null) {
            gate.add(keys, Map.of());
        }
        return gate;
    }
}
