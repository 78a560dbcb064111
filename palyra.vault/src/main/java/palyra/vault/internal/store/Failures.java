package palyra.vault.internal.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.Locale;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** What went wrong, in one sentence that says what to do. */
public final class Failures {
    private Failures() {}

    /** A write that did not happen. */
    public static PalyraException write(Path folder, IOException cause) {
        String told = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        boolean full = told.contains("no space left") || told.contains("quota exceeded");
        boolean closed =
                cause instanceof AccessDeniedException || told.contains("read-only file system");
        String remedy =
                full
                        ? "make room"
                        : closed ? "let the gateway's user write there" : "check the medium";
        return new PalyraException(
                full ? ErrorCode.DISK_FULL : ErrorCode.READ_ONLY,
                "The vault in "
                        + folder
                        + " cannot be written ("
                        + cause.getClass().getSimpleName()
                        + ": "
                        + cause.getMessage()
                        + "). What was there before is there still; "
                        + remedy
                        + " and try again.",
                cause);
    }

    /** Stored data that is not what was stored. */
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
