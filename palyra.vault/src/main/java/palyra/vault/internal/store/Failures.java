package palyra.vault.internal.store;

import java.io.IOException;
import java.nio.file.Path;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.shared.files.MediumFailure;

/** Failure messages that name the cause and the remedy. */
public final class Failures {
    private Failures() {}

    /** A write that did not happen. */
    public static PalyraException write(Path folder, IOException cause) {
        return new PalyraException(
                MediumFailure.of(cause, folder).code(ErrorCode.READ_ONLY),
                "The vault cannot be written: "
                        + MediumFailure.sentence(cause, folder)
                        + ". What was there before is there still; try again after that.",
                cause);
    }

    /** Stored data that was changed. */
    public static PalyraException corrupt(String found) {
        return new PalyraException(
                ErrorCode.CORRUPT,
                found
                        + ". Nothing was overwritten and no secret is given out from it; restore"
                        + " the vault's folder from a backup.");
    }

    /** A medium that cannot be read. */
    public static PalyraException read(Path file, IOException cause) {
        return new PalyraException(
                ErrorCode.CORRUPT,
                file
                        + " cannot be read ("
                        + cause.getClass().getSimpleName()
                        + "). Check the medium, or restore the vault's folder from a backup.",
                cause);
    }
}
