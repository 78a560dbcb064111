package palyra.api.core.vault;

import java.util.function.Function;

/**
 * A secret's value, lent for one use. Close it as soon as it was used: its bytes are overwritten
 * then. It never shows its value in {@code toString}. For one thread.
 */
public interface Secret extends AutoCloseable {
    /** Returns what may be told of it. */
    SecretInfo info();

    /**
     * Hands the bytes of the value to {@code use} and returns what that returns. The array is the
     * only copy; a caller that copies it overwrites the copy.
     *
     * @throws IllegalStateException when it is closed
     */
    <T> T use(Function<byte[], T> use);

    /** Overwrites the value. May be called again. */
    @Override
    void close();
}
