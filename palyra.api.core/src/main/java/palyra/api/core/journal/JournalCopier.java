package palyra.api.core.journal;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Copies the store while it is used: all that was committed at one moment, and nothing of later.
 * Thread-safe; blocks no writer.
 */
@ProviderType
public interface JournalCopier {
    /**
     * Copies the store into a folder, from which a gateway could open it. Payload files are linked
     * where the file system can do that, so the copy is not to be changed.
     *
     * @param folder does not exist, or is empty; on the file system of the state folder if it can
     *     be. After an exception its content is worth nothing
     * @param cancelled asked now and then; the copy ends with CANCELLED once it says true
     * @return how much was copied
     * @throws palyra.api.PalyraException CANCELLED; JOURNAL_UNAVAILABLE when the store is not open,
     *     or the medium refuses; DISK_FULL; CORRUPT when a payload that a record refers to is not
     *     there
     */
    Copied copyTo(Path folder, BooleanSupplier cancelled);

    /**
     * What a copy holds.
     *
     * @param databaseBytes size of the database
     * @param payloadFiles how many payload files
     * @param records records on all tapes
     */
    record Copied(long databaseBytes, long payloadFiles, long records) {}
}
