package palyra.journal.internal.verify;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.KeySignature;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.database.HeadSigner;
import palyra.journal.internal.read.OwnKeys;
import palyra.journal.internal.read.ReadPool;
import palyra.journal.internal.table.Rejections;
import palyra.journal.internal.table.SealTable;
import palyra.journal.internal.table.SealTable.Checkpoint;
import palyra.journal.internal.table.SealTable.Numbered;
import palyra.journal.internal.write.Ticket;
import palyra.journal.internal.write.WriteContext;
import palyra.journal.internal.write.WriteQueue;
import palyra.shared.tape.SealDigest;
import palyra.shared.tape.StreamVerifier.HeadKeys;

/**
 * Covers seals with checkpoints, one at each step at most: when there are enough of them, or a few
 * and some time has passed. Each signature is verified before it is covered, so that a checkpoint
 * makes nothing genuine that was put there from outside. Used by the upkeep's thread alone.
 */
public final class SealCheckpointWriter {
    private static final Logger LOG = LoggerFactory.getLogger(SealCheckpointWriter.class);

    /** Fewer seals wait for more. */
    public static final int FEW = 16;

    /** Full batches of one step: so many runs may end in a tick before seals pile up. */
    private static final int MOST_BATCHES = 8;

    private static final long WAIT_MILLIS = 1_000;

    private final ReadPool readers;
    private final HeadSigner signer;
    private final OwnKeys ownKeys;
    private final WriteQueue queue;
    private volatile JournalSettings.Checks settings;
    private long lastNanos = System.nanoTime();
    private Ticket<Boolean> writing; // null unless a checkpoint is on its way

    public SealCheckpointWriter(
            ReadPool readers,
            HeadSigner signer,
            OwnKeys ownKeys,
            WriteQueue queue,
            JournalSettings.Checks settings) {
        this.readers = readers;
        this.signer = signer;
        this.ownKeys = ownKeys;
        this.queue = queue;
        this.settings = settings;
    }

    public void settings(JournalSettings.Checks other) {
        settings = other;
    }

    /** Seals that none covers, and what the next checkpoint follows. */
    private record Open(Checkpoint last, List<Numbered> seals) {}

    /** Returns how many seals none covers, at most as many as one may cover. */
    public int open() {
        int most = settings.sealBatch();
        return readers.read(tables -> open(new SealTable(tables.sql()), most)).seals().size();
    }

    /** Takes one step; what fails is tried again at the next. */
    public void step() {
        try {
            int batches = 0;
            while (isWritten() && next() && ++batches < MOST_BATCHES) {
                writing.await(WAIT_MILLIS); // a full batch: there may be more
            }
        } catch (PalyraException e) { // without keys, for one
            if (e.code() == ErrorCode.TIMED_OUT) {
                writing = null; // it was withdrawn
            }
            LOG.debug(
                    "No checkpoint of seals was made; the next tick tries again: {}",
                    e.getMessage());
        }
    }

    private boolean isWritten() {
        if (writing != null && !writing.future().isDone()) {
            return false;
        }
        writing = null;
        return true;
    }

    /** Makes the next checkpoint if there is enough for one; returns whether it is full. */
    private boolean next() {
        int most = settings.sealBatch();
        Open open = readers.read(tables -> open(new SealTable(tables.sql()), most));
        int seals = open.seals().size();
        boolean changed = most != settings.sealBatch(); // it counts for what was read since
        if (changed || !isEnough(seals, most) || !ownKeys.missing().isEmpty()) {
            return false;
        }
        cover(open);
        return seals == most;
    }

    private static Open open(SealTable table, int most) throws SQLException {
        return new Open(table.last(), table.of(SealTable.NONE, most));
    }

    private boolean isEnough(int seals, int most) {
        long waited = System.nanoTime() - lastNanos;
        return seals >= most
                || (seals >= Math.min(FEW, most)
                        && waited >= TimeUnit.MILLISECONDS.toNanos(settings.sealWaitMillis()));
    }

    private void cover(Open open) {
        HeadKeys keys = signer.headKeysNow();
        List<Numbered> genuine = new ArrayList<>(open.seals().size());
        List<Numbered> wrong = new ArrayList<>();
        for (Numbered each : open.seals()) {
            (each.seal().filter(keys::signed).isPresent() ? genuine : wrong).add(each);
        }
        Checkpoint next = genuine.isEmpty() ? Checkpoint.BEFORE_THE_FIRST : next(open, genuine);
        Ticket<Boolean> ticket =
                new Ticket<>(context -> write(context, next, genuine, wrong), Unit.Lane.BULK, true);
        queue.offer(ticket);
        writing = ticket;
        lastNanos = System.nanoTime();
    }

    private Checkpoint next(Open open, List<Numbered> seals) {
        long number = open.last().number() + 1;
        SealDigest all = new SealDigest(number, open.last().digest());
        seals.forEach(each -> all.add(each.seal().orElseThrow()));
        byte[] digest = all.bytes();
        KeySignature by = signer.sign(SealDigest.statement(number, digest));
        return new Checkpoint(number, open.last().digest(), digest, by.keyId(), by.signature());
    }

    /** All or nothing: a seal that was changed meanwhile refuses the whole. */
    private static boolean write(
            WriteContext context, Checkpoint next, List<Numbered> genuine, List<Numbered> wrong)
            throws SQLException {
        SealTable table = new SealTable(context.sql());
        for (Numbered each : genuine) {
            if (!table.cover(
                    each.streamNo(), each.seal().orElseThrow().signature(), next.number())) {
                throw Rejections.conflict("A seal was changed while a checkpoint was made.");
            }
        }
        for (Numbered each : wrong) {
            table.never(each.streamNo());
        }
        if (!genuine.isEmpty()) {
            table.insert(next);
        }
        return true;
    }
}
