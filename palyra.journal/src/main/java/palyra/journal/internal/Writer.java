package palyra.journal.internal;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.JournalStatus.State;
import palyra.shared.loop.LoopBody;
import palyra.shared.loop.Pulse;

/**
 * The one thread that writes. It opens the database, commits groups, tries again after failures
 * that pass, and after those that do not closes, opens and verifies.
 */
final class Writer implements LoopBody {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
    private static final long NO_SPACE_BYTES = 1 << 20;

    private final WriteQueue queue;
    private final Opening opening;
    private final DatabaseFile file;
    private final Health health;
    private final Settling settling;
    private final Checkpoints checkpoints;
    private final ReadPool readers;
    private final Meters meters;
    private final ReentrantLock turn;
    private final Patience patience;
    private final long tickMillis;
    private final long keysWaitMillis;

    private WriteContext context; // null while the database is closed
    private Map<String, Head> acknowledged = Map.of();
    private boolean openedOnce;
    private volatile long records;

    Writer(JournalSettings settings, Parts parts) {
        this.queue = parts.queue();
        this.opening = parts.opening();
        this.file = parts.file();
        this.health = parts.health();
        this.settling = parts.settling();
        this.checkpoints = parts.checkpoints();
        this.readers = parts.readers();
        this.meters = parts.meters();
        this.turn = parts.turn();
        this.tickMillis = settings.upkeep().tickMillis();
        this.patience = new Patience(tickMillis);
        this.keysWaitMillis = settings.upkeep().keysWaitMillis();
    }

    /** What the writer works with; {@code turn} is held by whoever may write now. */
    record Parts(
            WriteQueue queue,
            Opening opening,
            DatabaseFile file,
            Health health,
            Settling settling,
            Checkpoints checkpoints,
            ReadPool readers,
            Meters meters,
            ReentrantLock turn) {}

    @Override
    public void run(Pulse pulse) throws InterruptedException {
        try {
            while (!queue.finished()) {
                pulse.beat();
                step();
            }
        } finally {
            close();
        }
    }

    /** Refuses what still waits once no writer is left to take it. */
    void refuseWaiting() throws InterruptedException {
        while (!queue.finished()) {
            List<Ticket<?>> group = queue.take(0);
            settling.settle(group, allRefused(group, WriteQueue.closing()));
        }
    }

    private void step() throws InterruptedException {
        closeIfDamaged();
        if (due()) {
            retry();
        }
        List<Ticket<?>> group = queue.take(tickMillis);
        if (group.isEmpty()) {
            return;
        }
        settling.settle(group, outcome(group));
    }

    /** Whatever happens, each ticket of the group has an outcome: its caller waits for one. */
    private Effects outcome(List<Ticket<?>> group) throws InterruptedException {
        try {
            closeIfDamaged(); // a reader may have found it meanwhile
            return context == null ? allRefused(group, health.refusal()) : commit(group);
        } catch (InterruptedException e) {
            settling.settle(group, allRefused(group, WriteQueue.closing()));
            throw e;
        } catch (RuntimeException | Error e) {
            settling.settle(group, allRefused(group, Failure.DEFECT.exception(e)));
            throw e;
        }
    }

    private void closeIfDamaged() {
        if (health.wantsReopening() && context != null) {
            close();
        }
    }

    /** Returns the records appended over the store's life. */
    long records() {
        return records;
    }

    private boolean due() {
        boolean wrong = context == null || health.standing().state() != State.OPEN;
        return wrong && patience.isDue();
    }

    private void retry() {
        patience.trying();
        if (context == null) {
            open();
        } else {
            probe();
        }
    }

    private void open() {
        turn.lock();
        try {
            context = openedOnce ? opening.reopen(acknowledged) : opening.open();
            openedOnce = true;
            patience.succeeded();
            records = context.counters().records();
            checkpoints.opened(file.logBytes());
            health.opened();
        } catch (DatabaseLock.Held e) {
            heldElsewhere(e);
        } catch (PalyraException e) {
            patience.giveUp(); // only a person can help
            health.stop(e.code(), e.getMessage());
            LOG.error("The journal cannot be opened: {}", e.getMessage());
        } catch (SQLException e) {
            openingFailed(e);
        } catch (IOException e) {
            LOG.error("The journal's folder cannot be prepared", e);
            health.stop(
                    ErrorCode.JOURNAL_UNAVAILABLE,
                    "The journal's folder "
                            + file.folder()
                            + " cannot be made or written; give it to the user that runs Palyra.");
        } catch (RuntimeException | Error e) { // a library that is gone, memory that is short
            openingMetDefect(e);
        } finally {
            turn.unlock();
        }
    }

    /** The next try begins with nothing of this one. */
    private void openingMetDefect(Throwable e) {
        if (context != null) {
            context.sql().closeQuietly();
            context = null;
        }
        health.stop(
                ErrorCode.INTERNAL,
                "Opening the journal met a defect ("
                        + e.getClass().getSimpleName()
                        + (e.getMessage() == null ? "" : ": " + e.getMessage())
                        + "); it is tried again. If it stays so, see the log.");
        LOG.error("Opening the journal met a defect; it is tried again", e);
    }

    private void heldElsewhere(DatabaseLock.Held e) {
        if (!health.standing().detail().equals(e.getMessage())) {
            LOG.error("The journal waits: {}", e.getMessage());
        }
        health.stop(ErrorCode.JOURNAL_UNAVAILABLE, e.getMessage());
    }

    private void openingFailed(SQLException e) {
        Failure failure = exactly(e);
        LOG.error("The journal cannot be opened: {}", failure.sentence(), e);
        health.failed(failure);
        if (failure == Failure.CORRUPT) {
            patience.giveUp();
        } else if (failure.ofOneUnit() || failure == Failure.MEMORY) {
            health.stop(ErrorCode.JOURNAL_UNAVAILABLE, failure.sentence());
        }
    }

    /**
     * Finds out whether the medium takes writes again: twice the largest payload that stands in the
     * database itself, so that what follows fits as well.
     */
    private void probe() {
        turn.lock();
        try {
            Sql sql = context.sql();
            sql.update("BEGIN IMMEDIATE");
            sql.update("INSERT INTO probe (probe_no, filler) VALUES (1, zeroblob(131072))");
            sql.update("DELETE FROM probe");
            sql.update("COMMIT");
            patience.succeeded();
            health.works();
        } catch (SQLException e) {
            context.sql().rollbackQuietly();
            failed(e);
        } finally {
            turn.unlock();
        }
    }

    private Effects commit(List<Ticket<?>> group) throws InterruptedException {
        if (group.stream().anyMatch(ticket -> ticket.task().signs())) {
            context.signer().await(keysWaitMillis);
        }
        checkpoints.awaitRoom();
        return commitInTurn(group);
    }

    private Effects commitInTurn(List<Ticket<?>> group) {
        turn.lock();
        try {
            Effects effects = new GroupCommit(context, meters).run(group, health.isSpaceShort());
            records = context.counters().records();
            meters.payloadBytes.add(effects.payloadBytes());
            health.works();
            checkpoints.written(group, effects);
            return effects;
        } catch (SQLException e) {
            failed(e);
            return allRefused(group, exactly(e).exception(e));
        } catch (RuntimeException | Error e) {
            LOG.error("The journal's writer met a defect; it closes and opens the database", e);
            health.stop(ErrorCode.INTERNAL, Failure.DEFECT.sentence());
            return allRefused(group, Failure.DEFECT.exception(e));
        } finally {
            turn.unlock();
        }
    }

    private static Effects allRefused(List<Ticket<?>> group, PalyraException reason) {
        group.forEach(ticket -> ticket.refuse(reason));
        return new Effects();
    }

    private void failed(SQLException e) {
        Failure failure = exactly(e);
        LOG.error("Writing the journal failed: {}", failure.sentence(), e);
        health.failed(failure);
    }

    /** A full or read-only medium also shows as a plain input/output error. */
    private Failure exactly(SQLException e) {
        Failure failure = Failure.of(e);
        if (failure != Failure.IO || syncFailed(e)) {
            return failure;
        }
        long free = file.freeBytes();
        if (free >= 0 && free < NO_SPACE_BYTES) {
            return Failure.FULL;
        }
        return file.mediumReadOnly() ? Failure.READ_ONLY : Failure.IO;
    }

    private static boolean syncFailed(SQLException e) {
        return e instanceof SQLiteException sqlite
                && (sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_FSYNC
                        || sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_DIR_FSYNC);
    }

    /** Closes everything, so that what comes next reads the medium and not what is remembered. */
    private void close() {
        if (context == null) {
            return;
        }
        checkpoints.close();
        readers.reconnect();
        turn.lock();
        try {
            acknowledged = context.heads().known();
        } finally {
            forgetContext();
            turn.unlock();
        }
    }

    private void forgetContext() {
        try {
            context.sql().closeQuietly();
        } finally {
            context = null;
        }
        if (health.wantsReopening()) {
            patience.rescuing();
        }
    }
}
