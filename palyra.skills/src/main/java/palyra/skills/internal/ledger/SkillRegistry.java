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
 * row and is authenticated by the boot key store; its serial number also stands in a file. A row
 * that was changed, added, taken away or set back by anybody else makes every reading fail with
 * {@code trust_store_tampered}. Thread-safe.
 */
public final class SkillRegistry {
    /** Reason code of a ledger that somebody else wrote in. */
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
    private Rows known = Rows.NONE; // guarded by lock
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
                "What is recorded about skills and trust was changed by something else than this"
                        + " gateway: "
                        + found
                        + ". Every skill is denied. Restore the state folder from a backup, or begin"
                        + " anew with palyra skills trust reset.");
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
    public Rows read() {
        return read(stored());
    }

    private Rows read(Stored first) {
        Stored stored = first;
        for (int i = 0; ; i++) {
            try {
                return check(stored);
            } catch (RefusedException e) {
                Stored again = stored();
                boolean moved = again.version() != stored.version();
                if (!moved || i == TRIES) {
                    throw e;
                }
                stored = again; // a change came between two pages
            }
        }
    }

    private Stored stored() {
        return Stored.read(journal);
    }

    private Rows check(Stored stored) {
        lock.lock();
        try {
            if (checked && stored.same(seen)) {
                return known;
            }
        } finally {
            lock.unlock();
        }
        Rows rows = verify(stored);
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

    private Rows verify(Stored stored) {
        OptionalLong last = head.read(seal::head);
        Rows rows = check.rows(stored, last);
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
            LOG.warn("The number of the skill ledger could not be written; tried again later.", e);
        } finally {
            headLock.unlock();
        }
    }

    /**
     * Makes a change: rows, events and {@code more} are durable together when this returns. When
     * somebody else changed something in between, {@code change} is asked again.
     *
     * @param more further operations, such as the record of the permit
     * @param change says from the present rows what to do; an empty edit changes nothing
     * @return the rows after it
     */
    public Rows change(List<? extends Operation> more, Function<Rows, Edit> change) {
        for (int i = 0; ; i++) {
            Stored stored = stored();
            Rows rows = read(stored);
            Edit edit = change.apply(rows);
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

    private Rows commit(Stored stored, Rows rows, Edit edit, List<? extends Operation> more) {
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
        return write(stored.version(), new Rows(rows.serial() + 1, after), operations);
    }

    private Rows write(long version, Rows rows, List<Operation> operations) {
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
     * Throws everything away that is recorded, whatever it is, and begins anew.
     *
     * @param edit events that tell of it
     */
    public void reset(List<? extends Operation> more, Edit edit) {
        Stored stored = stored();
        long serial = 0;
        try {
            serial = head.read(seal::head).orElse(0);
        } catch (RefusedException e) {
            LOG.warn("The number of the skill ledger was not ours.");
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
                new Rows(Math.max(serial, written) + 1, new TreeMap<>()),
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
