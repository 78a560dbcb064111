package palyra.journal.internal.write;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.journal.JournalStatus.State;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.DatabaseLock;
import palyra.journal.internal.database.Health;
import palyra.journal.internal.database.Meters;
import palyra.journal.internal.database.SearchHealth;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.database.SqliteFailure;
import palyra.journal.internal.database.UnconfirmedCommit;
import palyra.journal.internal.read.ReadPool;
import palyra.journal.internal.table.StreamHead;
import palyra.shared.files.MediumFailure;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopBody;

/**
 * The one thread that writes. It opens the database, commits groups, tries again after failures
 * that pass, and after those that do not closes, opens and verifies. A commit that the medium did
 * not confirm stays undecided until the reopened database shows whether it happened.
 */
public final class Writer implements LoopBody {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);
    private static final long OPEN_MILLIS = 10_000; // as long as a caller waits

    private final WriteQueue queue;
    private final DatabaseOpener opening;
    private final DatabaseFile file;
    private final Health health;
    private final GroupSettlement settling;
    private final Checkpoints checkpoints;
    private final List<ReadPool> readers;
    private final Meters meters;
    private final ReentrantLock turn;
    private final SessionIndex index;
    private final RetrySchedule patience;
    private final long tickMillis;
    private final long keysWaitMillis;

    private WriteContext context; // null while the database is closed
    private Map<String, StreamHead> acknowledged = Map.of();
    private boolean openedOnce;
    private OpenGroup open; // null unless a commit is unconfirmed
    private String nodeId; // guarded by turn
    private boolean damageSeen; // when the database was closed
    private volatile long records;

    public Writer(JournalSettings settings, Parts parts) {
        this.queue = parts.queue();
        this.opening = parts.opening();
        this.file = parts.file();
        this.health = parts.health();
        this.settling = parts.settling();
        this.checkpoints = parts.checkpoints();
        this.readers = parts.readers();
        this.meters = parts.meters();
        this.turn = parts.turn();
        this.index = new SessionIndex(parts.search());
        this.nodeId = settings.node().id();
        this.tickMillis = settings.upkeep().tickMillis();
        this.patience = new RetrySchedule(tickMillis);
        this.keysWaitMillis = settings.upkeep().keysWaitMillis();
    }

    /** The writer's state; the holder of {@code turn} may write. */
    public record Parts(
            WriteQueue queue,
            DatabaseOpener opening,
            DatabaseFile file,
            Health health,
            GroupSettlement settling,
            Checkpoints checkpoints,
            List<ReadPool> readers,
            Meters meters,
            ReentrantLock turn,
            SearchHealth search) {}

    /** Units of which it is not known whether they happened. */
    private record OpenGroup(
            long number, List<Ticket<?>> tickets, CommitEffects effects, long sinceNanos) {
        boolean isOld() {
            return System.nanoTime() - sinceNanos >= TimeUnit.MILLISECONDS.toNanos(OPEN_MILLIS);
        }
    }

    @Override
    public void run(Heartbeat pulse) throws InterruptedException {
        try {
            while (!queue.finished() || settlesSoon()) {
                pulse.beat();
                step();
            }
        } finally {
            giveUpOpenGroup();
            close();
        }
    }

    /** A store that is closing still finds out about its last group, if that goes at once. */
    private boolean settlesSoon() {
        return open != null && !open.isOld() && patience.isDue();
    }

    /** Refuses what still waits once no writer is left to take it. */
    public void refuseWaiting() throws InterruptedException {
        while (!queue.finished()) {
            refuse(queue.take(0), WriteQueue.closing());
        }
    }

    private void step() throws InterruptedException {
        closeIfDamaged();
        if (open != null && open.isOld()) {
            giveUpOpenGroup();
        }
        if (due()) {
            retry();
        }
        List<Ticket<?>> group = queue.take(index.waitMillis(tickMillis));
        if (!group.isEmpty()) {
            outcome(group);
        }
        tendIndex(!group.isEmpty());
    }

    /**
     * The index of sessions is kept up when nothing else waits, and at the latest after a second.
     */
    private void tendIndex(boolean othersWait) throws InterruptedException {
        if (context == null || health.standing().state() != State.OPEN) {
            index.notNow();
            return;
        }
        if (index.isToBeAbandoned()) {
            abandonIndex();
        } else if (index.isDue(othersWait)) {
            Ticket<SessionIndex.Progress> step = index.step();
            outcome(List.of(step));
            index.stepped(step);
        }
    }

    /**
     * The next task reads the schema again. Nothing is refused meanwhile: this thread does both.
     */
    private void abandonIndex() {
        turn.lock();
        try {
            index.abandon(context);
        } catch (SQLException e) {
            failed(e);
            return;
        } finally {
            turn.unlock();
        }
        close();
        open();
    }

    /**
     * Gives every ticket of the group an outcome, also after an error: its caller waits for one.
     */
    private void outcome(List<Ticket<?>> group) throws InterruptedException {
        try {
            closeIfDamaged(); // a reader may have found it meanwhile
            if (context == null) {
                refuse(group, health.refusal());
            } else {
                commit(group);
            }
        } catch (InterruptedException e) {
            refuse(group, WriteQueue.closing());
            throw e;
        } catch (RuntimeException | Error e) { // perhaps after the commit
            leftOver(group, e);
            throw e;
        }
    }

    private void closeIfDamaged() {
        if (health.wantsReopening() && context != null) {
            close();
        }
    }

    /**
     * Names the node again: a store that was not opened yet, such as another node's, is opened for
     * it, and one that is open refuses to become another node's.
     */
    public void node(String id) {
        turn.lock();
        try {
            if (openedOnce) {
                Require.that(
                        id.equals(nodeId),
                        "node of palyra.journal is "
                                + id
                                + ", and this store belongs to node "
                                + nodeId
                                + ": it counts from the next start, which would refuse this store;"
                                + " set node to "
                                + nodeId
                                + ", or give this node a state folder of its own");
            } else if (!id.equals(nodeId)) {
                nodeId = id;
                opening.node(id);
                patience.resume(); // that may have been what was wrong
            }
        } finally {
            turn.unlock();
        }
    }

    /** Returns the records appended over the store's life. */
    public long records() {
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
        } else if (checkpoints.roomNow()) {
            probe();
        }
    }

    private void open() {
        turn.lock();
        try {
            context =
                    openedOnce
                            ? opening.reopen(acknowledged, open != null, damageSeen)
                            : opening.open();
            openedOnce = true;
            patience.succeeded();
            records = context.counters().records();
            checkpoints.opened(file.logBytes());
            index.opened(context.sql());
            readers.forEach(ReadPool::reconnect); // one of a read-only medium sees no later write
            health.opened();
            settleOpenGroup();
        } catch (DatabaseLock.Held e) {
            heldElsewhere(e);
        } catch (PalyraException e) {
            patience.giveUp(); // only a person can help
            health.stop(e.code(), e.getMessage());
            LOG.error("The journal cannot be opened: {}", e.getMessage());
        } catch (SQLException e) {
            openingFailed(e);
        } catch (IOException e) {
            folderFailed(e);
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
        SqliteFailure failure = health.meaning(e);
        String sentence = failure.sentence(e);
        report(sentence, e);
        health.failed(failure, sentence);
        if (failure == SqliteFailure.CORRUPT) {
            patience.giveUp();
        } else if (failure.ofOneUnit() || failure == SqliteFailure.MEMORY) {
            health.stop(ErrorCode.JOURNAL_UNAVAILABLE, sentence);
        }
    }

    private void folderFailed(IOException e) {
        SqliteFailure failure = SqliteFailure.of(e, file);
        String sentence =
                "The journal's folder cannot be made or written: "
                        + MediumFailure.sentence(e, file.folder())
                        + ".";
        report(sentence, e);
        health.failed(failure, sentence);
    }

    /** Each try fails in the same way until the reason is gone: it is logged once. */
    private void report(String sentence, Exception e) {
        if (!health.standing().detail().equals(sentence)) {
            LOG.error("The journal cannot be opened: {}", sentence, e);
        }
    }

    /**
     * Finds out whether the medium takes writes again: twice the largest payload that is in the
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

    private void commit(List<Ticket<?>> group) throws InterruptedException {
        if (group.stream().anyMatch(ticket -> ticket.task().signs())) {
            context.signer().await(keysWaitMillis);
        }
        if (!checkpoints.awaitRoom()) {
            health.failed(SqliteFailure.LOG_HELD);
            refuse(group, SqliteFailure.LOG_HELD.exception(null));
            return;
        }
        CommitEffects effects = new CommitEffects();
        if (commitInTurn(group, effects)) {
            settling.settle(group, effects);
        }
    }

    /** Returns false when the group was settled otherwise or is left open. */
    private boolean commitInTurn(List<Ticket<?>> group, CommitEffects effects) {
        turn.lock();
        try {
            new GroupCommit(context, meters).run(group, health.isSpaceShort(), effects);
            written(group, effects);
            return true;
        } catch (SessionIndex.Damaged e) { // it was a group of the index alone
            index.damaged(e);
            refuse(group, health.meaning(e).exception(e));
        } catch (UnconfirmedCommit e) {
            leaveOpen(group, effects, e);
        } catch (SQLException e) {
            failed(e);
            refuse(group, health.meaning(e).exception(e));
        } catch (RuntimeException | Error e) {
            LOG.error("The journal's writer met a defect; it closes and opens the database", e);
            health.stop(ErrorCode.INTERNAL, SqliteFailure.DEFECT.sentence());
            refuse(group, SqliteFailure.DEFECT.exception(e));
        } finally {
            turn.unlock();
        }
        return false;
    }

    /** The group is durable even when this fails. */
    private void written(List<Ticket<?>> group, CommitEffects effects) {
        try {
            records = context.counters().records();
            meters.payloadBytes.add(effects.payloadBytes());
            health.works();
            checkpoints.written(group, effects);
            if (effects.anySessionChanged()) {
                index.changed();
            }
        } catch (RuntimeException | Error e) {
            LOG.error("Work after a commit of the journal failed; the commit is durable", e);
        }
    }

    private void refuse(List<Ticket<?>> group, PalyraException reason) {
        group.stream().filter(ticket -> !ticket.refused()).forEach(t -> t.refuse(reason));
        settling.settle(group, new CommitEffects());
    }

    /** What is not left open and has no outcome yet may have happened. */
    private void leftOver(List<Ticket<?>> group, Throwable cause) {
        List<Ticket<?>> kept = open == null ? List.of() : open.tickets();
        refuse(
                group.stream().filter(ticket -> !kept.contains(ticket)).toList(),
                Ticket.outcomeUnknown("The journal's writer met a defect in a change", cause));
    }

    private void leaveOpen(List<Ticket<?>> group, CommitEffects effects, UnconfirmedCommit e) {
        SqliteFailure failure = health.meaning(e);
        LOG.error(
                "The medium did not confirm a commit of {} units; the database is reopened to"
                        + " find out whether it happened: {}",
                group.size(),
                failure.sentence(),
                e);
        health.stop(failure.exception(e).code(), sentence(failure));
        List<Ticket<?>> refused = group.stream().filter(Ticket::refused).toList();
        settling.settle(refused, new CommitEffects()); // these did not happen in any case
        List<Ticket<?>> waiting = group.stream().filter(ticket -> !ticket.refused()).toList();
        open = new OpenGroup(e.group(), waiting, effects, System.nanoTime());
    }

    private static String sentence(SqliteFailure failure) {
        return failure == SqliteFailure.DEFECT || failure == SqliteFailure.MEMORY
                ? "An error of the JVM interrupted a commit; the database is being reopened."
                : failure.sentence();
    }

    /** The database is open: it says whether the group happened. */
    private void settleOpenGroup() {
        if (open == null) {
            return;
        }
        OpenGroup group = open;
        open = null;
        boolean happened = context.counters().groups() >= group.number();
        LOG.info(
                "The commit of {} units that was not confirmed {}",
                group.tickets().size(),
                happened ? "happened" : "did not happen");
        if (happened) {
            settling.settle(group.tickets(), group.effects());
        } else {
            refuse(group.tickets(), notKept());
        }
    }

    private static PalyraException notKept() {
        return new PalyraException(
                ErrorCode.JOURNAL_UNAVAILABLE,
                "The journal's medium failed and did not keep a change: it did not happen; try"
                        + " again.");
    }

    private void giveUpOpenGroup() {
        if (open != null) {
            OpenGroup group = open;
            open = null;
            refuse(
                    group.tickets(),
                    Ticket.outcomeUnknown(
                            "The journal's medium did not confirm a change and cannot be read",
                            null));
        }
    }

    private void failed(SQLException e) {
        SqliteFailure failure = health.meaning(e);
        LOG.error("Writing the journal failed: {}", failure.sentence(), e);
        health.failed(failure);
    }

    /** Closes everything, so that the next step reads the medium and not a cache. */
    private void close() {
        if (context == null) {
            return;
        }
        checkpoints.close();
        readers.forEach(ReadPool::reconnect);
        turn.lock();
        try {
            acknowledged = context.heads().known();
            damageSeen = health.standing().code() == ErrorCode.CORRUPT;
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
