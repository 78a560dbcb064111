package palyra.journal.internal;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.GrantRow;
import palyra.api.core.journal.JournalCopier;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.Lease;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.journal.Unit;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.journal.internal.database.ConnectionSource;
import palyra.journal.internal.database.DamagedRows;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.DatabaseLock;
import palyra.journal.internal.database.Health;
import palyra.journal.internal.database.Meters;
import palyra.journal.internal.database.Migrations;
import palyra.journal.internal.database.StoreClock;
import palyra.journal.internal.read.Feed;
import palyra.journal.internal.read.JournalReads;
import palyra.journal.internal.read.OwnKeys;
import palyra.journal.internal.read.ReadPool;
import palyra.journal.internal.read.StoreCopy;
import palyra.journal.internal.table.KnownLosses;
import palyra.journal.internal.verify.Scrub;
import palyra.journal.internal.verify.ScrubReport;
import palyra.journal.internal.verify.SealCheckpointWriter;
import palyra.journal.internal.verify.StoreVerifier;
import palyra.journal.internal.write.Checkpoints;
import palyra.journal.internal.write.Deliveries;
import palyra.journal.internal.write.Ticket;
import palyra.journal.internal.write.UnitPreparer;
import palyra.journal.internal.write.UnitTask;
import palyra.journal.internal.write.Upkeep;
import palyra.journal.internal.write.WriteContext;
import palyra.journal.internal.write.WriteQueue;
import palyra.journal.internal.write.Writer;
import palyra.journal.internal.write.WriterTask;
import palyra.shared.gate.Gate;
import palyra.shared.loop.LoopBody;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/** The store on SQLite with all its services, put together without any framework. Thread-safe. */
public class SqliteJournal extends JournalReads
        implements LiveFeed, TapeVerifier, JournalCopier, MetricSource, LoopSource, AutoCloseable {
    public static final String OWNER = "palyra.journal";
    private static final Logger LOG = LoggerFactory.getLogger(SqliteJournal.class);
    private static final long COMMIT_MILLIS = 10_000;
    private static final long OPENING_MILLIS = 60_000;
    private static final long STOP_MILLIS = 10_000;

    private final WriteQueue queue;
    private final Health health;
    private final DatabaseFile file;
    private final DatabaseLock lock;
    private final ReadPool readers;
    private final ReadPool scanners;
    private final OwnKeys ownKeys;
    private final UnitPreparer preparer;
    private final Checkpoints checkpoints;
    private final Deliveries deliveries;
    private final Feed feed;
    private final SealCheckpointWriter seals;
    private final Scrub scrub;
    private final ScrubReport scrubbed;
    private final Upkeep upkeep;
    private final Writer writer;
    private final Meters meters;
    private final DamagedRows damaged;
    private final KnownLosses losses;
    private final StoreVerifier verifier;
    private final StoreCopy copy;
    private final Migrations migrations;
    private final StoreClock clock;
    private final SupervisedLoop writerLoop;
    private final SupervisedLoop deliveryLoop;
    private final SupervisedLoop checkpointLoop;
    private final SupervisedLoop upkeepLoop;
    private final SupervisedLoop scrubLoop;
    private final AtomicBoolean closed = new AtomicBoolean();

    private SqliteJournal(Assembly a) {
        super(a.readers, a.scanners, a.tapes, a.losses);
        queue = a.queue;
        health = a.health;
        file = a.file;
        lock = a.lock;
        readers = a.readers;
        scanners = a.scanners;
        ownKeys = a.ownKeys;
        preparer = a.preparer;
        checkpoints = a.checkpoints;
        deliveries = a.deliveries;
        feed = a.feed;
        seals = a.seals;
        scrub = a.scrub;
        scrubbed = a.scrubbed;
        upkeep = a.upkeep;
        writer = a.writer;
        meters = a.meters;
        damaged = a.damaged;
        losses = a.losses;
        verifier = a.verifier;
        copy = a.copy;
        migrations = a.migrations;
        clock = a.clock;
        LoopSpec write = LoopSpec.of("palyra-journal-writer", OWNER).asEssential();
        writerLoop = new SupervisedLoop(write, writer).start();
        deliveryLoop = loop("palyra-journal-callbacks", deliveries);
        checkpointLoop = loop("palyra-journal-checkpoints", checkpoints);
        upkeepLoop = loop("palyra-journal-upkeep", upkeep);
        scrubLoop = loop("palyra-journal-scrub", scrub);
        threads(a.settings.reading().threads());
    }

    private void threads(int count) {
        readers.threads(count);
        scanners.threads(Math.max(1, count / 2));
    }

    private static SupervisedLoop loop(String name, LoopBody body) {
        return new SupervisedLoop(LoopSpec.of(name, OWNER), body).start();
    }

    /**
     * Makes a store that is being opened; the first calls wait until it is.
     *
     * @param clock the wall clock
     * @param nanos a clock that never jumps, such as {@link System#nanoTime}
     */
    public SqliteJournal(
            JournalSettings settings, Gate<Keys> keys, InstantSource clock, LongSupplier nanos) {
        this(
                settings,
                keys,
                new StoreClock(clock, nanos),
                new DatabaseFile(settings.folder()),
                Migrations.bundled());
    }

    /** As above, with another medium and other forms. */
    SqliteJournal(
            JournalSettings settings,
            Gate<Keys> keys,
            StoreClock clock,
            ConnectionSource connections,
            Migrations migrations) {
        this(new Assembly(settings, keys, clock, connections, migrations));
    }

    /** Changes what can be changed while the store is open: all but the folder and the boot id. */
    public void change(JournalSettings settings) {
        writer.node(settings.node().id());
        queue.bounds(settings.writing());
        threads(settings.reading().threads());
        preparer.settings(settings.payloads());
        checkpoints.settings(settings.medium());
        upkeep.settings(settings);
        seals.settings(settings.checks());
        scrub.settings(settings);
        feed.bound(settings.upkeep().feedQueue());
    }

    @Override
    public Committed commit(Unit unit) {
        Require.present(unit, "unit");
        return perform(ready(unit), unit.lane());
    }

    private UnitTask ready(Unit unit) {
        health.awaitFirstTry(COMMIT_MILLIS);
        if (!file.exists()) {
            throw health.refusal(); // no payload file comes before the database
        }
        ownKeys.require(unit);
        return preparer.prepare(unit);
    }

    private <T> T perform(WriterTask<T> task, Unit.Lane lane) {
        return offer(new Ticket<>(task, lane, true)).await(COMMIT_MILLIS);
    }

    private <T> Ticket<T> offer(Ticket<T> ticket) {
        try {
            queue.offer(ticket);
            return ticket;
        } catch (PalyraException e) {
            ticket.task().settled();
            throw e;
        }
    }

    @Override
    public CompletionStage<Committed> submit(Unit unit) {
        try {
            Require.present(unit, "unit");
            return offer(new Ticket<>(ready(unit), unit.lane(), false))
                    .future()
                    .minimalCompletionStage();
        } catch (PalyraException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    @Override
    public Lease takeLease(String name, String owner, long ttlMillis) {
        Require.text(name, "lease name");
        Require.text(owner, "lease owner");
        Require.that(
                ttlMillis >= 1_000 && ttlMillis <= 600_000,
                "lease " + name + " was requested for " + ttlMillis + " ms: use 1000 to 600000");
        return perform(new LeaseTask(name, owner, ttlMillis), Unit.Lane.COMMAND);
    }

    @Override
    public void releaseLease(String name, String owner) {
        Require.text(name, "lease name");
        Require.text(owner, "lease owner");
        perform(context -> release(context, name, owner), Unit.Lane.COMMAND);
    }

    private static boolean release(WriteContext context, String name, String owner)
            throws SQLException {
        context.tables().leases().release(name, owner, context.now());
        return true;
    }

    /** Takes or renews a lease. */
    private record LeaseTask(String name, String owner, long ttlMillis)
            implements WriterTask<Lease> {
        @Override
        public Lease apply(WriteContext context) throws SQLException {
            return context.tables()
                    .leases()
                    .take(name, owner, ttlMillis, context.now(), context.bootId());
        }

        @Override
        public boolean whenSpaceIsShort() {
            return true; // a row that is there already
        }
    }

    @Override
    public List<ApprovalRow> approvalsDue(long nowMillis, int limit) {
        moveTimes();
        return super.approvalsDue(nowMillis, limit);
    }

    @Override
    public List<GrantRow> grants(
            String principal,
            String sessionId,
            String tool,
            long activeAtMillis,
            String afterId,
            int limit) {
        moveTimes();
        return super.grants(principal, sessionId, tool, activeAtMillis, afterId, limit);
    }

    /** Before deadlines are compared with a clock that jumped, they move along with it. */
    private void moveTimes() {
        if (!clock.jumped()) {
            return;
        }
        try {
            perform(context -> true, Unit.Lane.COMMAND);
        } catch (PalyraException e) { // reading goes on; the writer decides by its own look
            LOG.debug("Deadlines were not adjusted yet: {}", e.getMessage());
        }
    }

    @Override
    public JournalStatus status() {
        Health.Standing standing = health.standing();
        return new JournalStatus(
                standing.state(),
                standing.detail(),
                file.bytes(),
                Math.max(0, file.freeBytes()),
                writer.records(),
                migrations.latest(),
                scrubbed.last());
    }

    @Override
    public Subscription subscribe(String streamId, Consumer<FeedItem> listener) {
        return feed.subscribe(streamId, listener);
    }

    @Override
    public void publish(FeedItem.LiveText text) {
        feed.publish(text);
    }

    @Override
    public VerificationReport verifyStream(String streamId, BooleanSupplier cancelled) {
        return verifier.verifyStream(streamId, cancelled);
    }

    @Override
    public VerificationReport verifyRange(
            String streamId, long fromSeq, long toSeq, BooleanSupplier cancelled) {
        return verifier.verifyRange(streamId, fromSeq, toSeq, cancelled);
    }

    @Override
    public VerificationReport verifyAll(
            Extent extent, Progress progress, BooleanSupplier cancelled) {
        return verifier.verifyAll(extent, progress, cancelled);
    }

    @Override
    public Copied copyTo(Path folder, BooleanSupplier cancelled) {
        return copy.to(folder, cancelled);
    }

    @Override
    public List<Metric> metrics() {
        return Gauges.of(meters, queue, readers, feed, status(), scrubbed);
    }

    @Override
    public List<LoopView> loops() {
        return Stream.concat(
                        Stream.of(writerLoop, deliveryLoop, checkpointLoop, upkeepLoop, scrubLoop)
                                .map(SupervisedLoop::view),
                        readers.loops().stream())
                .toList();
    }

    /** Returns how many seals no checkpoint covers, at most as many as one may cover. */
    public int openSeals() {
        return seals.open();
    }

    /** Returns one sentence for each row that cannot be read. */
    List<String> damagedRows() {
        return damaged.sentences();
    }

    /** Returns one sentence for each row of a run that is lost, as far as was looked. */
    List<String> lostRows() {
        return losses.sentences();
    }

    /** Returns one sentence for each damaged place that the scrub found. */
    List<String> scrubbedFaults() {
        return scrubbed.sentences();
    }

    /** Returns the state of a damaged index for searching sessions; empty while it is intact. */
    Optional<String> searchDamage() {
        return damaged.search().sentence();
    }

    /** Returns a jump of the system's clock that was noticed within a day. */
    Optional<StoreClock.Reading> lastJump() {
        return clock.lastJump();
    }

    /**
     * Waits a minute at most until opening was tried; {@link #status} then says with what success.
     */
    public void awaitOpening() {
        health.awaitFirstTry(OPENING_MILLIS);
    }

    /** Returns the refusal that fits the state. */
    PalyraException refusal() {
        return health.refusal();
    }

    /** Accepts nothing more, writes queued units, and closes everything. Waits, bounded. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            scrub.stop();
            scrubLoop.stop();
            scrubLoop.join(STOP_MILLIS);
            upkeep.stop();
            upkeepLoop.stop();
            upkeepLoop.join(STOP_MILLIS);
            saveTime();
            queue.close();
            stopWriter();
            deliveries.close(deliveryLoop, STOP_MILLIS);
            readers.close(STOP_MILLIS);
            scanners.close(STOP_MILLIS);
            checkpoints.stop();
            checkpointLoop.stop();
            checkpointLoop.join(STOP_MILLIS);
            giveFree();
            feed.close(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("The journal was interrupted while it closed; the next start puts it right");
        }
    }

    /** One more group, so that the next start knows since when the store was closed. */
    private void saveTime() {
        try {
            queue.offer(new Ticket<>(context -> true, Unit.Lane.BULK, true));
        } catch (PalyraException e) {
            LOG.debug("The queue is full, so groups are written anyway: {}", e.getMessage());
        }
    }

    /** A thread that hangs in the medium may still write: then the lock stays, with the process. */
    private void giveFree() {
        if (writerLoop.isAlive() || checkpointLoop.isAlive()) {
            LOG.error("The journal's database stays locked: a thread of it did not end in time");
        } else {
            lock.close();
        }
    }

    private void stopWriter() throws InterruptedException {
        writerLoop.stop();
        if (!writerLoop.join(STOP_MILLIS)) {
            LOG.error("The journal's writer did not drain in time; what waits is refused");
            writerLoop.interrupt();
            writerLoop.join(STOP_MILLIS);
        }
        if (!writerLoop.isAlive()) {
            writer.refuseWaiting();
        }
    }
}
