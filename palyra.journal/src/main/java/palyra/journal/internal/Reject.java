package palyra.journal.internal;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** The refusals that several tables share. */
final class Reject {
    private Reject() {}

    static PalyraException notFound(String what, String id) {
        return new PalyraException(
                ErrorCode.NOT_FOUND, "There is no " + what + " " + id + "; check the id.");
    }

    static PalyraException taken(String what, String id) {
        return new PalyraException(
                ErrorCode.ALREADY_EXISTS, "The " + what + " " + id + " exists already.");
    }

    static PalyraException conflict(String message) {
        return new PalyraException(ErrorCode.CONFLICT, message);
    }

    static PalyraException stale(String message) {
        return new PalyraException(ErrorCode.STALE_EPOCH, message);
    }
}
