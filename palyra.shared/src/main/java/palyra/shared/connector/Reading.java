package palyra.shared.connector;

import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Reads what a platform sent. Pure. */
public final class Reading {
    private Reading() {}

    /**
     * Returns what a reader makes of what came. A form that the reader does not foresee is as
     * malformed as one that it refuses, so no message of a platform can end its connector.
     *
     * @throws PalyraException INVALID_ARGUMENT for whatever the reader did not foresee; what it
     *     throws itself of this kind as it is
     */
    public static <T> T of(Supplier<T> reader) {
        return of(reader, PalyraException.class);
    }

    /**
     * Does as {@link #of(Supplier)}.
     *
     * @param known what the reader throws besides, and goes through as it is
     */
    public static <T> T of(Supplier<T> reader, Class<? extends RuntimeException> known) {
        try {
            return reader.get();
        } catch (RuntimeException e) {
            if (e instanceof PalyraException || known.isInstance(e)) {
                throw e;
            }
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "its form is not known (" + e.getClass().getSimpleName() + ")",
                    e);
        }
    }
}
