package palyra.journal.internal.table;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** The refusals that several tables share. */
public final class Rejections {
    private Rejections() {}

    public static PalyraException notFound(String what, String id) {
        return new PalyraException(
                ErrorCode.NOT_FOUND, "There is no " + what + " " + id + "; check the id.");
    }

    public static PalyraException taken(String what, String id) {
        return new PalyraException(
                ErrorCode.ALREADY_EXISTS, "The " + what + " " + id + " exists already.");
    }

    public static PalyraException conflict(String message) {
        return new PalyraException(ErrorCode.CONFLICT, message);
    }

    public static PalyraException stale(String message) {
        return new PalyraException(ErrorCode.STALE_EPOCH, message);
    }
}
