package palyra.api.run;

import org.osgi.annotation.versioning.ProviderType;

/** A run being followed. */
@ProviderType
public interface Following extends AutoCloseable {
    /**
     * Waits until the run ended, following was interrupted, or {@code timeoutMillis} passed;
     * returns whether it is over.
     */
    boolean await(long timeoutMillis) throws InterruptedException;

    /** Stops following; the run goes on. Idempotent, never blocks. */
    @Override
    void close();
}
