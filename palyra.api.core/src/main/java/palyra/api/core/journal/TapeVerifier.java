package palyra.api.core.journal;

import java.util.function.BooleanSupplier;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Recomputes hashes and checks signatures of stored records, and judges whether the records of runs
 * follow each other as they may. Thread-safe; reads in pages and blocks no writer.
 */
@ProviderType
public interface TapeVerifier {
    /**
     * Verifies one stream with its seal: a run id, or {@code journal}. NOT_FOUND when there is no
     * such stream.
     */
    VerificationReport verifyStream(String streamId, BooleanSupplier cancelled);

    /**
     * Verifies records {@code fromSeq} to {@code toSeq} of a stream, both included, and that the
     * first links to its predecessor. Records are judged only when {@code fromSeq} is 1: what may
     * follow is known from the first record on.
     */
    VerificationReport verifyRange(
            String streamId, long fromSeq, long toSeq, BooleanSupplier cancelled);

    /** Verifies every run and the journal's own events. */
    default VerificationReport verifyAll(BooleanSupplier cancelled) {
        return verifyAll(Extent.EVERYTHING, Progress.NONE, cancelled);
    }

    /**
     * Verifies every run and the journal's own events, or what was added to them since the last
     * verification that found no fault. When the note of that one is missing or was changed,
     * everything is verified. A verification without a fault is noted, if the store can be written.
     *
     * @param progress told on the calling thread
     */
    VerificationReport verifyAll(Extent extent, Progress progress, BooleanSupplier cancelled);

    /** What a verification of the whole store looks at. */
    enum Extent {
        /** Each record of each stream. */
        EVERYTHING,
        /**
         * Signatures of all ended runs, and the records of streams that were not verified before.
         */
        NEW
    }

    /** Hears how far a verification is. */
    @FunctionalInterface
    interface Progress {
        /** Tells no one. */
        Progress NONE = (records, of) -> {};

        /**
         * So many records are verified.
         *
         * @param of about how many there are; 0 when that is not known
         */
        void verified(long records, long of);
    }
}
