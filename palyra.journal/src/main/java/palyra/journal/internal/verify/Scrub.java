package palyra.journal.internal.verify;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.JournalStatus.State;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.api.tape.TapeRecord;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.database.ConnectionSource;
import palyra.journal.internal.database.HeadSigner;
import palyra.journal.internal.database.Health;
import palyra.journal.internal.database.Sql;
import palyra.journal.internal.database.SqliteFailure;
import palyra.journal.internal.database.StoreClock;
import palyra.journal.internal.read.TapeReader;
import palyra.journal.internal.table.ScrubTable;
import palyra.journal.internal.table.SealTable;
import palyra.journal.internal.table.Tables;
import palyra.journal.internal.table.VerifyTable;
import palyra.journal.internal.write.Appender;
import palyra.journal.internal.write.PreparedPayload;
import palyra.journal.internal.write.SessionIndex;
import palyra.journal.internal.write.Ticket;
import palyra.journal.internal.write.WriteQueue;
import palyra.journal.internal.write.WriterTask;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopBody;
import palyra.shared.loop.Pauses;

/**
 * Reads everything that is stored, slowly, over and over: checkpoints and tapes as a verification
 * does, the other tables row by row. What it finds it tells and goes on; it stops nothing, since
 * damage costs itself only. It has a thread and a connection of its own, rests between its steps so
 * that both bounds hold, and goes on after a restart where it was.
 */
public final class Scrub implements LoopBody {
    private static final Logger LOG = LoggerFactory.getLogger(Scrub.class);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SAVE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int BATCH = 32;
    private static final int MOST_FAULTS = 100;

    private final ConnectionSource connections;
    private final TapeReader tapes;
    private final HeadSigner signer;
    private final Health health;
    private final StoreClock clock;
    private final WriteQueue queue;
    private final ScrubReport report;
    private final ReentrantLock lock = new ReentrantLock(); // of the connection's end
    private final Pauses pauses = new Pauses();
    private final long begun = System.nanoTime();
    private volatile JournalSettings settings;
    private volatile Sql sql; // null while it has no connection
    private Tables tables;
    private Stage stage; // null until what is stored was read
    private String after = "";
    private long records;
    private long savedNanos;
    private CheckpointScan checkpoints = new CheckpointScan();
    private StreamScan walk; // null between batches
    private List<VerifyTable.Target> batch = List.of(); // what walk goes through
    private TableWalk table; // null between tables
    private String tableName = "";

    /** What is read, in this order. */
    private enum Stage {
        CHECKPOINTS,
        JOURNAL,
        RUNS,
        TABLES,
        REST
    }

    public Scrub(
            JournalSettings settings,
            ConnectionSource connections,
            TapeReader tapes,
            HeadSigner signer,
            Health health,
            StoreClock clock,
            WriteQueue queue,
            ScrubReport report) {
        this.settings = settings;
        this.connections = connections;
        this.tapes = tapes;
        this.signer = signer;
        this.health = health;
        this.clock = clock;
        this.queue = queue;
        this.report = report;
    }

    /** Takes other bounds, at once: the rest that is under way ends. */
    public void settings(JournalSettings other) {
        settings = other;
        pauses.wake();
    }

    @Override
    public void run(Heartbeat pulse) throws InterruptedException {
        try {
            long pause = TimeUnit.MILLISECONDS.toNanos(settings.checks().scrubAfterMillis());
            pause -= System.nanoTime() - begun;
            while (pauses.pause(pause)) {
                pulse.beat();
                pause = turn();
                pulse.idle();
            }
            if (stage != null) {
                save();
            }
        } finally {
            disconnect();
        }
    }

    /** Ends the step that is under way and all of it. Any thread may call it. */
    public void stop() {
        pauses.stop();
        lock.lock();
        try {
            if (sql != null) {
                sql.interrupt(); // not closed while the lock is held
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes a step and returns for how long to rest after it. */
    private long turn() {
        JournalSettings.Checks bounds = settings.checks();
        if (bounds.scrubBytes() == 0 || health.standing().state() == State.STOPPED) {
            disconnect();
            return LOOK_NANOS;
        }
        long began = System.nanoTime();
        try {
            connect();
            if (stage == null) {
                load();
            }
            if (stage == Stage.REST && !isDue(bounds)) {
                return LOOK_NANOS;
            }
            long bytes = step();
            report.read(bytes);
            saveNowAndThen();
            return rest(bytes, System.nanoTime() - began, bounds);
        } catch (SQLException e) {
            failed(e);
        } catch (PalyraException e) {
            failed(e);
        } catch (RuntimeException e) { // no object can be made of a damaged row
            damaged("a row was changed after it was written (" + e.getMessage() + ")");
        }
        return LOOK_NANOS;
    }

    /** Returns for how many nanoseconds to rest after so many bytes and so much work. */
    static long rest(long bytes, long workedNanos, JournalSettings.Checks bounds) {
        long byTime = workedNanos * (100 - bounds.scrubPercent()) / bounds.scrubPercent();
        long byBytes = (long) (bytes * 1e9 / bounds.scrubBytes()) - workedNanos;
        return Math.max(byTime, byBytes);
    }

    private void connect() throws SQLException {
        if (sql == null) {
            Sql opened = new Sql(connections.open(ConnectionSource.Use.READ));
            opened.execute("PRAGMA busy_timeout = " + settings.medium().busyMillis());
            opened.makeInterruptible();
            opened.execute("PRAGMA query_only = ON");
            opened.execute("PRAGMA mmap_size = 0");
            opened.execute("PRAGMA cache_size = -1024"); // what is read once is not kept
            opened.execute("PRAGMA trusted_schema = OFF");
            tables = new Tables(opened);
            sql = opened;
        }
    }

    private void disconnect() {
        Sql open = sql;
        lock.lock();
        try {
            sql = null;
        } finally {
            lock.unlock();
        }
        if (open != null) {
            open.closeQuietly();
        }
    }

    private void load() throws SQLException {
        ScrubTable stored = new ScrubTable(sql);
        Optional<ScrubTable.Place> place = stored.place();
        report.load(
                stored.faults(MOST_FAULTS),
                place.map(ScrubTable.Place::endedAtMillis).orElse(0L),
                place.map(ScrubTable.Place::endedRecords).orElse(0L));
        records = place.map(ScrubTable.Place::records).orElse(0L);
        begin(place.map(one -> stage(one.stage())).orElse(Stage.CHECKPOINTS));
        after = place.map(ScrubTable.Place::after).orElse("");
    }

    /** An unknown name begins a new pass. */
    private static Stage stage(String stored) {
        for (Stage each : Stage.values()) {
            if (each.name().equals(stored)) {
                return each;
            }
        }
        return Stage.CHECKPOINTS;
    }

    /** A pass that goes on in the middle verifies the checkpoints again: they are few. */
    private void begin(Stage next) {
        stage = next;
        after = "";
        walk = null;
        table = null;
    }

    private boolean isDue(JournalSettings.Checks bounds) {
        long since = clock.read().wallMillis() - report.endedAtMillis();
        boolean due = since >= bounds.scrubRestMillis() || since < 0;
        if (due) {
            records = 0;
            checkpoints = new CheckpointScan();
            begin(Stage.CHECKPOINTS);
        }
        return due;
    }

    /** Returns about how many bytes were read. */
    private long step() throws SQLException {
        if (!checkpoints.done()) { // of this process
            return checkpoint();
        }
        return switch (stage) {
            case CHECKPOINTS -> {
                tellCheckpoints();
                begin(Stage.JOURNAL);
                yield 0;
            }
            case JOURNAL, RUNS -> tape();
            case TABLES -> table();
            case REST -> 0;
        };
    }

    private long checkpoint() throws SQLException {
        long before = checkpoints.bytes();
        checkpoints.advance(new SealTable(sql), signer::headKeysNow);
        return checkpoints.bytes() - before;
    }

    private void tellCheckpoints() {
        checkpoints.fault().ifPresent(this::found);
        report.places("checkpoint ").stream()
                .filter(
                        place ->
                                checkpoints
                                        .fault()
                                        .filter(fault -> fault.streamId().equals(place))
                                        .isEmpty())
                .forEach(this::intact);
    }

    private long tape() throws SQLException {
        if (walk == null) {
            next();
            return 0;
        }
        long before = walk.bytes();
        walk.advance(tables);
        long bytes = walk.bytes() - before;
        if (walk.done()) {
            ended();
        }
        return bytes;
    }

    /** Begins with the next tapes. */
    private void next() throws SQLException {
        VerifyTable table = new VerifyTable(sql);
        batch =
                stage == Stage.JOURNAL
                        ? table.find(TapeRecord.JOURNAL_STREAM).stream().toList()
                        : table.page(after, BATCH);
        if (batch.isEmpty()) {
            begin(Stage.TABLES);
        } else {
            walk();
        }
    }

    private void walk() {
        walk = new StreamScan(tapes, signer::headKeysNow, checkpoints::covers, batch);
    }

    /** The walk is over: at the end of the batch, or at a fault, after which it goes on. */
    private void ended() {
        VerificationReport seen = walk.report();
        records += seen.records();
        int intact = batch.size();
        if (seen.fault().isPresent()) {
            found(seen.fault().get());
            intact = indexOf(seen.fault().get().streamId());
        }
        batch.stream().limit(intact).map(VerifyTable.Target::streamId).forEach(this::intact);
        int looked = Math.min(batch.size(), intact + 1);
        boolean isJournal = stage == Stage.JOURNAL;
        after = isJournal ? "" : batch.get(looked - 1).streamId();
        batch = batch.subList(looked, batch.size());
        if (!batch.isEmpty()) {
            walk();
        } else if (isJournal) {
            begin(Stage.RUNS);
        } else {
            walk = null;
        }
    }

    private int indexOf(String streamId) {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.get(i).streamId().equals(streamId)) {
                return i;
            }
        }
        return 0;
    }

    private long table() throws SQLException {
        if (table == null) {
            Optional<String> next =
                    SessionIndex.otherTables(sql).stream()
                            .filter(name -> name.compareTo(after) > 0)
                            .filter(name -> !name.startsWith("sqlite_") && !name.equals("tape"))
                            .min(String::compareTo);
            intact("table sqlite_schema");
            if (next.isEmpty()) {
                passEnded();
                return 0;
            }
            tableName = next.get();
            table = new TableWalk(tableName);
        }
        long bytes = table.advance(sql);
        if (table.done()) {
            intact("table " + tableName);
            tableEnded();
        }
        return bytes;
    }

    private void tableEnded() {
        after = tableName;
        table = null;
    }

    private void passEnded() {
        report.ended(clock.read().wallMillis(), records);
        LOG.info(
                "Everything in the journal was read: {} records, {} damaged places",
                records,
                report.count());
        begin(Stage.REST);
        save();
    }

    private void failed(SQLException e) {
        SqliteFailure failure = health.meaning(e);
        disconnect(); // the next step begins with a new connection
        if (pauses.stopped() || stage == null) {
            return;
        }
        if (failure == SqliteFailure.CORRUPT || failure == SqliteFailure.IO) {
            damaged(failure.sentence(e));
        } else {
            LOG.debug("The scrub goes on later: {}", failure.sentence(e));
        }
    }

    private void failed(PalyraException e) {
        if (e.code() == ErrorCode.CORRUPT || e.code() == ErrorCode.INVALID_ARGUMENT) {
            damaged(e.getMessage());
        } else { // without keys, for one
            LOG.debug("The scrub goes on later: {}", e.getMessage());
        }
    }

    /** What was to be read is damaged: it is told, and the scrub goes on after it. */
    private void damaged(String detail) {
        String why = detail.endsWith(".") ? detail.substring(0, detail.length() - 1) : detail;
        if (stage == null) {
            return;
        }
        if (!checkpoints.done()) {
            checkpoints.damaged(why);
        } else if (walk != null) {
            walk.damaged(why);
            if (walk.done()) {
                ended();
            }
        } else if (table != null) {
            unreadable("table " + tableName, table.after(), why);
            tableEnded();
        } else if (stage == Stage.JOURNAL) {
            unreadable("table heads", "", why);
            begin(Stage.RUNS);
        } else if (stage == Stage.RUNS) {
            unreadable("table runs", after, why);
            begin(Stage.TABLES);
        } else {
            unreadable("table sqlite_schema", "", why);
            passEnded();
        }
    }

    /** Rows of a table cannot be read from a key on. */
    private void unreadable(String place, String from, String why) {
        String where = from.isEmpty() ? "at its first rows: " : "after " + from + ": ";
        found(new Fault(place, 0, Kind.UNREADABLE, where + why));
    }

    private void found(Fault fault) {
        if (report.found(fault)) {
            LOG.error(
                    "The journal's scrub found damage: {}/{} ({}): {}",
                    fault.streamId(),
                    fault.seq(),
                    fault.kind(),
                    fault.detail());
            write(
                    context -> {
                        new ScrubTable(context.sql()).put(fault, context.now());
                        byte[] payload = payload(fault);
                        new Appender(context)
                                .append(
                                        new Operation.Append(
                                                TapeRecord.JOURNAL_STREAM,
                                                "damage_found",
                                                1,
                                                payload),
                                        PreparedPayload.of(payload, new SecureRandom(), ""));
                        return true;
                    });
        }
    }

    private static byte[] payload(Fault fault) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("detail", fault.detail())
                .put("kind", fault.kind().name())
                .put("place", fault.streamId())
                .put("seq", fault.seq())
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    private void intact(String place) {
        if (report.intact(place)) {
            LOG.info("The journal's scrub found {} intact again", place);
            write(
                    context -> {
                        new ScrubTable(context.sql()).delete(place);
                        return true;
                    });
        }
    }

    private void saveNowAndThen() {
        if (System.nanoTime() - savedNanos >= SAVE_NANOS) {
            save();
        }
    }

    private void save() {
        savedNanos = System.nanoTime();
        ScrubTable.Place place =
                new ScrubTable.Place(
                        stage.name(),
                        after,
                        records,
                        report.endedAtMillis(),
                        report.endedRecords());
        write(
                context -> {
                    new ScrubTable(context.sql()).put(place);
                    return true;
                });
    }

    /** What cannot be written now is found again by the next pass. */
    private void write(WriterTask<Boolean> task) {
        try {
            queue.offer(new Ticket<>(task, Unit.Lane.BULK, true));
        } catch (PalyraException e) {
            LOG.debug("The scrub could not write down where it is: {}", e.getMessage());
        }
    }
}
