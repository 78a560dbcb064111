package palyra.journal.internal.verify;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.api.core.journal.VerificationReport.Kind;
import palyra.api.core.keys.KeySignature;
import palyra.journal.internal.table.SealTable;
import palyra.journal.internal.table.SealTable.Checkpoint;
import palyra.journal.internal.table.SealTable.Numbered;
import palyra.shared.tape.SealDigest;
import palyra.shared.tape.StreamVerifier.HeadKeys;

/**
 * Verifies checkpoints, one at each step: its place in the chain, its digest over the seals that it
 * covers, and its signature. A seal that was changed, or that names another checkpoint, changes the
 * digest. A checkpoint that is not right covers nothing. Used by one thread at a time; what it
 * found may be read by any once it is done.
 */
final class CheckpointScan {
    /** Seals that are read of one checkpoint: more than any writer puts into one. */
    private static final int MOST = 100_000;

    /** About how many bytes are read for each seal. */
    private static final int SEAL_BYTES = 200;

    private final Set<Long> right = new HashSet<>();
    private Checkpoint last = Checkpoint.BEFORE_THE_FIRST;
    private Optional<Fault> fault = Optional.empty();
    private long bytes;
    private boolean done;

    /** Verifies the next one and returns whether there was one; the keys are asked for it. */
    boolean advance(SealTable table, Supplier<HeadKeys> keys) throws SQLException {
        Optional<Checkpoint> next = table.checkpoints(last.number(), 1).stream().findFirst();
        if (next.isEmpty()) {
            long named = table.namedAfter(last.number());
            if (named != SealTable.NONE) {
                found(named, "it is missing, although seals name it");
            }
            done = true;
            return false;
        }
        Checkpoint present = next.get();
        long missing = last.number() + 1;
        if (present.number() != missing) {
            found(missing, "it is missing, although checkpoint " + present.number() + " is there");
        } else if (!Arrays.equals(present.previous(), last.digest())) {
            found(missing, "it does not follow checkpoint " + last.number());
        }
        verify(table, present, keys.get());
        last = present;
        return true;
    }

    private void verify(SealTable table, Checkpoint checkpoint, HeadKeys keys) throws SQLException {
        long number = checkpoint.number();
        byte[] statement = SealDigest.statement(number, checkpoint.digest());
        if (!keys.signed(statement, new KeySignature(checkpoint.keyId(), checkpoint.signature()))) {
            found(number, "its signature is wrong, or by no published key");
        } else if (!Arrays.equals(digest(table, checkpoint), checkpoint.digest())) {
            found(number, "its digest is not that of the seals that name it");
        } else {
            right.add(number);
        }
    }

    private byte[] digest(SealTable table, Checkpoint checkpoint) throws SQLException {
        SealDigest digest = new SealDigest(checkpoint.number(), checkpoint.previous());
        for (Numbered each : table.of(checkpoint.number(), MOST)) {
            each.seal().ifPresent(digest::add);
        }
        bytes += (long) digest.seals() * SEAL_BYTES;
        return digest.bytes();
    }

    private void found(long number, String detail) {
        if (fault.isEmpty()) {
            fault =
                    Optional.of(
                            new Fault(
                                    "checkpoint " + number,
                                    0,
                                    Kind.CHECKPOINT,
                                    detail + "; what it covers was verified without it"));
        }
    }

    /** What was to be read is damaged: no further one covers anything. Returns false. */
    boolean damaged(String detail) {
        found(last.number() + 1, "it cannot be read: " + detail);
        done = true;
        return false;
    }

    /** Returns about how many bytes were read. */
    long bytes() {
        return bytes;
    }

    boolean done() {
        return done;
    }

    /** Returns whether a checkpoint of that number is right. */
    boolean covers(long number) {
        return right.contains(number);
    }

    /** Returns the last one that is there. */
    Checkpoint last() {
        return last;
    }

    /** Returns whether all are right. */
    boolean intact() {
        return done && fault.isEmpty();
    }

    /** Returns the first that is wrong. */
    Optional<Fault> fault() {
        return fault;
    }
}
