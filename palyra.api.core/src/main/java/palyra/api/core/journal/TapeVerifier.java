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
    VerificationReport verifyAll(BooleanSupplier cancelled);
}
