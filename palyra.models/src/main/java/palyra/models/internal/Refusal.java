package palyra.models.internal;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Refusals of scripts, in one form of words. */
final class Refusal {
    private Refusal() {}

    static PalyraException of(String where, String problem) {
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "The script cannot be played: " + where + " " + problem + ".");
    }
}
