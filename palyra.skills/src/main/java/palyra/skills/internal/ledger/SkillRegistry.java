package palyra.skills.internal.ledger;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.shared.files.DurableFiles;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.skills.internal.RefusedException;

/**
 * The rows about skills and trust, as documents of the journal. An index holds the digest of every
 * row and is authenticated by the boot key store; its serial number is also kept in a file. A row
 * that another program changed, added, removed or set back makes every read fail with {@code
 * trust_store_tampered}. Thread-safe.
 */
public final class SkillRegistry {
    /** Reason code of a ledger that another program changed. */
    public static final String TAMPERED = "trust_store_tampered";

    /** Collection of the documents. */
    public static final String COLLECTION = "skill_ledger";

    /** Key of the index. */
    public static final String INDEX = "index";

    private static final Logger LOG = LoggerFactory.getLogger(SkillRegistry.class);
    private static final int TRIES = 50;

    private final Gate<Journal> journal;
    private final Gate<Keys> keys;
    private final LedgerSeal seal;
    private final LedgerHead head;
    private final LedgerCheck check;
    private final ReentrantLock lock = new ReentrantLock();
    private final ReentrantLock headLock = new ReentrantLock(); // for the file of the number
    private Map<String, byte[]> seen = Map.of(); // guarded by lock
    private LedgerRows known = LedgerRows.NONE; // guarded by lock
    private boolean checked; // guarded by lock

    /**
     * @param headFile file of the serial number, in the state folder
     */
    public SkillRegistry(
            Gate<Journal> journal, Gate<Keys> keys, Path headFile, DurableFiles files) {
        this.keys = keys;
        this.journal = journal;
        this.seal = new LedgerSeal(keys);
        this.head = new LedgerHead(headFile, files);
        this.check = new LedgerCheck(seal);
    }

    static RefusedException tampered(String found) {
        return new RefusedException(
                TAMPERED,
                "The records of skills and trust were changed by another program than this"
                        + " gateway: "
                        + found
                        + ". Every skill is denied. Restore the state folder from a backup, or begin"
                        + " again with palyra skills trust reset.");
    }

    /** Returns whether reading would not have to wait for what it needs. */
    public boolean reachable() {
        return journal.isPresent() && keys.isPresent();
    }

    /**
     * Returns the rows as they are now, checked.
     *
     * @throws RefusedException {@code trust_store_tampered}
     * @throws PalyraException JOURNAL_UNAVAILABLE, KEYS_UNAVAILABLE
     */
    public LedgerRows read() {
        return read(stored());
    }

    private LedgerRows read(StoredLedger first) {
        StoredLedger stored = first;
        for (int i = 0; ; i++) {
            try {
                return check(stored);
            } catch (RefusedException e) {
                StoredLedger again = stored();
                boolean moved = again.version() != stored.version();
                if (!moved || i == TRIES) {
                    throw e;
                }
                stored = again; // a change came between two pages
            }
        }
    }

    private StoredLedger stored() {
        return StoredLedger.read(journal);
    }

    private LedgerRows check(StoredLedger stored) {
        lock.lock();
        try {
            if (checked && stored.same(seen)) {
                return known;
            }
        } finally {
            lock.unlock();
        }
        LedgerRows rows = verify(stored);
        Map<String, byte[]> contents = stored.contents();
        lock.lock();
        try {
            if (!checked || rows.serial() >= known.serial()) {
                seen = contents;
                known = rows;
                checked = true;
            }
        } finally {
            lock.unlock();
        }
        return rows;
    }

    private LedgerRows verify(StoredLedger stored) {
        OptionalLong last = head.read(seal::head);
        LedgerRows rows = check.rows(stored, last);
        if (last.orElse(0) < rows.serial()) {
            writeHead(rows.serial());
        }
        return rows;
    }

    /** Only ever upwards: one that is late does not set it back. */
    private void writeHead(long serial) {
        headLock.lock();
        try {
            if (head.read(seal::head).orElse(0) < serial) {
                head.write(serial, seal::head);
            }
        } catch (IOException e) {
            LOG.warn(
                    "The serial number of the skill ledger could not be written; it is retried later.",
                    e);
        } finally {
            headLock.unlock();
        }
    }

    /**
     * Makes a change: rows, events and {@code more} are durable together when this returns. When
     * another writer changed the ledger in between, {@code change} is called again.
     *
     * @param more further operations, such as the record of the permit
     * @param change says from the present rows what to do; an empty edit changes nothing
     * @return the rows after it
     */
    public LedgerRows change(
            List<? extends Operation> more, Function<LedgerRows, LedgerEdit> change) {
        for (int i = 0; ; i++) {
            StoredLedger stored = stored();
            LedgerRows rows = read(stored);
            LedgerEdit edit = change.apply(rows);
            if (edit.isEmpty()) {
                return rows;
            }
            try {
                return commit(stored, rows, edit, more);
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.CONFLICT || i >= TRIES) {
                    throw e;
                }
            }
        }
    }

    private LedgerRows commit(
            StoredLedger stored, LedgerRows rows, LedgerEdit edit, List<? extends Operation> more) {
        SortedMap<String, ObjectNode> after = new TreeMap<>(rows.rows());
        List<Operation> operations = new ArrayList<>(more);
        edit.rows()
                .forEach(
                        (key, content) -> {
                            if (content.isPresent()) {
                                after.put(key, content.get());
                                operations.add(
                                        new Operation.PutDocument(
                                                COLLECTION, key, Jcs.bytes(content.get())));
                            } else {
                                after.remove(key);
                                operations.add(new Operation.DeleteDocument(COLLECTION, key));
                            }
                        });
        operations.addAll(edit.operations());
        return write(stored.version(), new LedgerRows(rows.serial() + 1, after), operations);
    }

    private LedgerRows write(long version, LedgerRows rows, List<Operation> operations) {
        SortedMap<String, String> digests = new TreeMap<>();
        rows.rows().forEach((key, row) -> digests.put(key, Digests.sha256Hex(Jcs.bytes(row))));
        ObjectNode index = JsonNodeFactory.instance.objectNode().put("serial", rows.serial());
        ObjectNode listed = index.putObject("rows");
        digests.forEach(listed::put);
        index.put("mac", seal.index(rows.serial(), digests));
        Unit unit =
                Unit.builder()
                        .require(new Precondition.DocumentAt(COLLECTION, INDEX, version))
                        .addAll(operations)
                        .add(new Operation.PutDocument(COLLECTION, INDEX, Jcs.bytes(index)))
                        .build();
        journal.run(service -> service.commit(unit));
        writeHead(rows.serial());
        return rows;
    }

    /**
     * Deletes all records and starts an empty ledger.
     *
     * @param edit events that tell of it
     */
    public void reset(List<? extends Operation> more, LedgerEdit edit) {
        StoredLedger stored = stored();
        long serial = 0;
        try {
            serial = head.read(seal::head).orElse(0);
        } catch (RefusedException e) {
            LOG.warn("The serial number of the skill ledger was written by another program.");
        }
        long written = stored.index().map(d -> serialOf(d.content())).orElse(0L);
        List<Operation> operations = new ArrayList<>(more);
        for (String key : stored.documents().keySet()) {
            if (!key.equals(INDEX)) {
                operations.add(new Operation.DeleteDocument(COLLECTION, key));
            }
        }
        operations.addAll(edit.operations());
        write(
                stored.version(),
                new LedgerRows(Math.max(serial, written) + 1, new TreeMap<>()),
                operations);
    }

    private static long serialOf(byte[] index) {
        try {
            long serial = StrictJson.parse(index, INDEX).path("serial").asLong(0);
            return serial > Long.MAX_VALUE / 2 ? 0 : serial;
        } catch (PalyraException e) {
            return 0;
        }
    }
}
