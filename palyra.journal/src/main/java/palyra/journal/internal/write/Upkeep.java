package palyra.journal.internal.write;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.InvalidPathException;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.core.journal.JournalStatus.State;
import palyra.api.core.journal.Unit;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.Health;
import palyra.journal.internal.database.PayloadFiles;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.database.StoreClock;
import palyra.journal.internal.table.Tables;
import palyra.journal.internal.table.TapeTable;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopBody;
import palyra.shared.loop.Pauses;

/**
 * Looks after the store: watches the space and the clock, forgets old idempotency keys, removes
 * files that nothing refers to, gives free pages back. Changes go through the writer like all
 * others, in small bites on the bulk lane.
 */
public final class Upkeep implements LoopBody {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
    private static final int REST_TICKS = 60;
    private static final int BUCKETS = 256;
    private static final int PRUNE = 500;
    private static final int FILES = 100;
    private static final int PAGES = 500;
    private static final int FEW_PAGES = 256; // 1 MiB
    private static final int MANY_PAGES = 2_000;

    private final WriteQueue queue;
    private final DatabaseFile file;
    private final PayloadFiles files;
    private final Health health;
    private final StoreClock clock;
    private final Runnable lookForLosses;
    private final Pauses pauses = new Pauses();
    private volatile JournalSettings settings;
    private volatile int
            bucket; // next folder of payload files to look through, once after each start
    private volatile int rest;
    private Ticket<Boolean> pending;

    public Upkeep(
            JournalSettings settings,
            WriteQueue queue,
            DatabaseFile file,
            PayloadFiles files,
            Health health,
            StoreClock clock,
            Runnable lookForLosses) {
        this.settings = settings;
        this.queue = queue;
        this.file = file;
        this.files = files;
        this.health = health;
        this.clock = clock;
        this.lookForLosses = lookForLosses;
    }

    public void settings(JournalSettings other) {
        settings = other;
    }

    @Override
    public void run(Heartbeat pulse) throws InterruptedException {
        do {
            pulse.beat();
            tick();
            if (health.standing().state() == State.OPEN) {
                lookForLosses.run();
            }
            pulse.idle();
        } while (pauses.pause(TimeUnit.MILLISECONDS.toNanos(settings.upkeep().tickMillis())));
    }

    public void stop() {
        pauses.stop();
    }

    private void tick() {
        long free = file.freeBytes();
        health.spaceShort(free >= 0 && free < settings.medium().minFreeBytes());
        boolean busy = pending != null && !pending.future().isDone();
        if (busy || health.standing().state() == State.STOPPED || isResting()) {
            return;
        }
        List<String> names = bucket < BUCKETS ? names(bucket) : List.of();
        try {
            Ticket<Boolean> bite = new Ticket<>(new Bite(bucket, names), Unit.Lane.BULK, true);
            queue.offer(bite);
            pending = bite; // only now: a task that was not queued would never complete
            bucket = Math.min(bucket + 1, BUCKETS);
            bite.future().whenComplete(this::after);
        } catch (PalyraException e) {
            pending = null; // full or closing: the next tick tries again
        }
    }

    /** Runs on the writer's thread, or at once. */
    private void after(Boolean more, Throwable failure) {
        if (failure != null) {
            LOG.warn("Maintenance of the journal failed: {}", failure.getMessage());
        }
        boolean goOn = failure == null && (more || bucket < BUCKETS);
        rest = goOn ? 0 : REST_TICKS;
    }

    private boolean isResting() {
        int left = rest;
        rest = Math.max(0, left - 1);
        return left > 0 && !clock.jumped();
    }

    private List<String> names(int of) {
        try {
            return files.names(of);
        } catch (IOException | DirectoryIteratorException | InvalidPathException e) {
            LOG.warn("A folder of payload files cannot be listed", e);
            return List.of();
        }
    }

    /** One bite of work on the writer. The result says whether there is more. */
    private final class Bite implements WriterTask<Boolean> {
        private final int of;
        private final List<String> names;

        Bite(int of, List<String> names) {
            this.of = of;
            this.names = names;
        }

        @Override
        public Boolean apply(WriteContext context) throws SQLException {
            Tables tables = context.tables();
            long before = context.time().openMillis() - settings.upkeep().idempotencyMillis();
            boolean more = tables.idempotency().prune(before, PRUNE) == PRUNE;
            more |= tables.grants().expire(context.now(), PRUNE) == PRUNE;
            more |= forgetUnused(tables.tape(), context.effects());
            sweep(tables.tape(), names, context.effects());
            sweep(tables.tape(), files.takeLoose(FILES), context.effects());
            return vacuum(context) || more;
        }

        /** The files go once it is durable that nothing refers to them. */
        private static boolean forgetUnused(TapeTable tape, CommitEffects effects)
                throws SQLException {
            List<String> unused = tape.unusedFiles(FILES);
            for (String sha256 : unused) {
                tape.forgetFile(sha256);
                effects.unused(sha256);
            }
            return unused.size() == FILES;
        }

        /**
         * A crash or a refusal between a file and its record leaves a file that is not known. It is
         * deleted once the examined rows are durable: its record may have been erased a moment ago.
         */
        private void sweep(TapeTable tape, List<String> suspects, CommitEffects effects)
                throws SQLException {
            for (String name : suspects) {
                if (!PayloadFiles.isDigest(name)) {
                    deletePart(name);
                } else if (!tape.fileKnown(name)) {
                    effects.unused(name);
                }
            }
        }

        private void deletePart(String name) {
            try {
                if (name.endsWith(".part")) {
                    files.deletePart(of, name);
                }
            } catch (IOException | InvalidPathException e) {
                LOG.warn("A half-written payload file cannot be deleted", e);
            }
        }

        /**
         * While space is short a little that is free is kept, since the store itself needs it next.
         * Moving pages would spread the damage of one, so a small store is looked through before.
         */
        private boolean vacuum(WriteContext context) throws SQLException {
            Sql sql = context.sql();
            if (sql.exists("SELECT 1 FROM meta WHERE name = ?", SessionIndex.ABANDONED)) {
                return false; // moving pages would follow those that an index left behind
            }
            long unused = sql.pragma("PRAGMA freelist_count");
            boolean many = unused >= MANY_PAGES;
            if (unused < sql.pragma("PRAGMA page_count") / 4
                    || !many && (unused < FEW_PAGES || health.isSpaceShort())
                    || !many && !sql.text("PRAGMA quick_check(1)").equals("ok")) {
                return false;
            }
            sql.exhaust("PRAGMA incremental_vacuum(" + PAGES + ")");
            context.effects().erased();
            return true;
        }

        @Override
        public boolean whenSpaceIsShort() {
            return true;
        }
    }
}
