package palyra.journal.internal.write;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.journal.internal.JournalSettings;
import palyra.journal.internal.database.DatabaseFile;
import palyra.journal.internal.database.PayloadFiles;
import palyra.journal.internal.database.SqliteFailure;
import palyra.journal.internal.table.CutPayload;
import palyra.shared.hash.Digests;

/**
 * Does on the caller's thread what does not need the writer: salts, commitments and files. A
 * caller's units keep their order, since each is ready before the next begins. Thread-safe.
 */
public final class UnitPreparer {
    private final PayloadFiles files;
    private final DatabaseFile database;
    private final SecureRandom random = new SecureRandom();
    private volatile JournalSettings.Payloads settings;

    public UnitPreparer(
            PayloadFiles files, DatabaseFile database, JournalSettings.Payloads settings) {
        this.files = files;
        this.database = database;
        this.settings = settings;
    }

    public void settings(JournalSettings.Payloads other) {
        settings = other;
    }

    /** Makes a unit ready; its files stay pinned until the task is settled. */
    public UnitTask prepare(Unit unit) {
        List<PreparedPayload> ready = new ArrayList<>();
        Map<Operation, CutPayload> cut = new IdentityHashMap<>();
        try {
            for (Operation operation : unit.operations()) {
                switch (operation) {
                    case Operation.Append o -> ready.add(prepare(o));
                    case Operation.PutInbox o -> cut.put(o, CutPayload.of(o.row().payload()));
                    case Operation.PutOutbox o -> cut.put(o, CutPayload.of(o.row().payload()));
                    case Operation.RewriteOutbox o -> cut.put(o, CutPayload.of(o.payload()));
                    default -> {}
                }
            }
        } catch (RuntimeException e) {
            new UnitTask(unit, ready, cut, files).settled();
            throw e;
        }
        return new UnitTask(unit, ready, cut, files);
    }

    private PreparedPayload prepare(Operation.Append append) {
        byte[] payload = append.payload();
        JournalSettings.Payloads now = settings;
        Require.that(
                payload.length <= now.limitBytes(),
                "the payload of a "
                        + append.type()
                        + " record has "
                        + payload.length
                        + " bytes: at most "
                        + now.limitBytes()
                        + " are taken");
        return PreparedPayload.of(
                payload, random, payload.length > now.fileBytes() ? store(payload) : "");
    }

    private String store(byte[] payload) {
        String name = Digests.sha256Hex(payload);
        try {
            files.store(name, payload);
            return name;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private PalyraException failed(IOException e) {
        if (e instanceof ClosedByInterruptException) {
            return new PalyraException(
                    ErrorCode.TIMED_OUT,
                    "The caller was interrupted while a large payload was written; nothing"
                            + " happened, try again.",
                    e);
        }
        SqliteFailure failure = SqliteFailure.of(e, database);
        if (failure == SqliteFailure.FULL || failure == SqliteFailure.READ_ONLY) {
            return failure.exception(e);
        }
        return new PalyraException(
                ErrorCode.JOURNAL_UNAVAILABLE,
                "A large payload could not be written beside the journal; look at the system's log"
                        + " and the folder's owner and mode.",
                e);
    }
}
