package palyra.vault.internal.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.vault.internal.crypto.Aead;

/**
 * The secrets of one folder: a file for each value, a log that says which file is whose, and a head
 * that says how far the log counts. Replacing the head is the one moment at which a change happens;
 * leftovers of a crash before it do not count, and leftovers after it are only cleaned up.
 *
 * <p>Finding and reading are thread-safe and read one file, however many there are. Writing is for
 * one thread at a time.
 */
public final class Store {
    private static final long MOST_LOG_BYTES = 1 << 30;
    private static final int MOST_FILE_BYTES = Vault.MAX_VALUE_BYTES + 1_024;
    private static final int SLACK = 256;

    private final Folder folder;
    private final Medium files;
    private final Aead aead;
    private final byte[] indexKey;
    private final ConcurrentSkipListMap<String, Entry> entries = new ConcurrentSkipListMap<>();
    private volatile Head head;
    private long records; // in the log; for the writing thread
    private String nextLog; // for the writing thread
    private volatile boolean doubtful;

    private Store(Folder folder, Medium files, byte[] indexKey, Aead aead) {
        this.folder = folder;
        this.files = files;
        this.aead = aead;
        this.indexKey = indexKey;
    }

    /** Returns whether there is anything of a store. */
    public static boolean exists(Path path) throws IOException {
        return new Folder(path).hasAnything();
    }

    /** Makes an empty store. */
    public static Store create(Path path, Medium files, byte[] indexKey, int keyVersion, Aead aead)
            throws IOException {
        Store store = new Store(new Folder(path), files, indexKey, aead);
        files.makeFolder(store.folder.values());
        Log.Written empty = store.startLog(List.of());
        store.replaceHead(new Head(0, keyVersion, store.nextLog, 0, empty.last(), 0));
        return store;
    }

    /** Opens a store; CORRUPT when anything of its index is not as it was written. */
    public static Store open(Path path, Medium files, byte[] indexKey, Aead aead)
            throws IOException {
        Store store = new Store(new Folder(path), files, indexKey, aead);
        store.load();
        return store;
    }

    private void load() throws IOException {
        byte[] bytes;
        try {
            bytes = files.read(folder.head(), Head.BYTES);
        } catch (NoSuchFileException e) {
            throw Failures.corrupt("The head of the vault, " + folder.head() + ", is gone");
        }
        Head read =
                Head.of(bytes, indexKey)
                        .orElseThrow(
                                () ->
                                        Failures.corrupt(
                                                "The head of the vault, "
                                                        + folder.head()
                                                        + ", was cut or changed"));
        Path log = folder.log(read.log());
        byte[] content;
        try {
            content = files.read(log, MOST_LOG_BYTES);
        } catch (NoSuchFileException e) {
            throw Failures.corrupt("The index of the vault, " + log + ", is gone");
        }
        List<byte[]> all =
                Log.read(
                                indexKey,
                                Log.start(indexKey, read.log()),
                                content,
                                read.logLength(),
                                read.last())
                        .orElseThrow(
                                () ->
                                        Failures.corrupt(
                                                "The index of the vault, "
                                                        + log
                                                        + ", was cut or changed"));
        all.forEach(this::apply);
        if (entries.size() != read.secrets()) {
            throw Failures.corrupt("The index of the vault, " + log + ", disagrees with its head");
        }
        records = all.size();
        head = read;
    }

    /** Takes a record over; returns the file that no longer counts. */
    private Optional<Path> apply(byte[] record) {
        String name = Entry.nameIn(record);
        Entry old =
                Entry.removes(record) ? entries.remove(name) : entries.put(name, Entry.of(record));
        return Optional.ofNullable(old).map(entry -> folder.value(entry.file()));
    }

    /** Returns how many changes there were. */
    public long counter() {
        return head.counter();
    }

    /** Returns the newest master key that was in use. */
    public int keyVersion() {
        return head.keyVersion();
    }

    /** Returns how many secrets there are. */
    public int size() {
        return entries.size();
    }

    /** Returns whether a failed write left open which state is on the medium: open it again. */
    public boolean doubtful() {
        return doubtful;
    }

    /** Marks the state on the medium as uncertain. */
    public void doubt() {
        doubtful = true;
    }

    /** Returns the metadata of a secret. */
    public Optional<Entry> find(SecretRef ref) {
        return Optional.ofNullable(entries.get(Entry.name(ref)));
    }

    /** Returns every secret, by scope and key; a view that goes along with changes. */
    public Iterable<Entry> all() {
        return entries.values();
    }

    /** Returns what there is of a scope after a key; of every scope when it is empty. */
    public List<SecretInfo> list(String scope, String after, int most) {
        String from = scope.isEmpty() ? "" : scope + "/";
        Map<String, Entry> rest = entries.tailMap(from + after, false);
        return rest.entrySet().stream()
                .takeWhile(entry -> entry.getKey().startsWith(from))
                .limit(most)
                .map(entry -> entry.getValue().info())
                .toList();
    }

    /** Returns the file of an entry; empty when it is not the one that was written. */
    public Optional<byte[]> read(Entry entry) throws IOException {
        try {
            byte[] content = files.read(folder.value(entry.file()), MOST_FILE_BYTES);
            return Optional.of(content).filter(entry::fits);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Makes changes, all or none; durable on return. */
    public void write(List<Change> changes, int keyVersion) {
        List<Entry> added = new ArrayList<>();
        List<byte[]> said = new ArrayList<>();
        try {
            requireUntouched();
            for (Change change : changes) {
                said.add(
                        switch (change) {
                            case Change.Put put -> {
                                added.add(value(put));
                                yield added.get(added.size() - 1).put();
                            }
                            case Change.Remove remove -> Entry.remove(remove.ref());
                        });
            }
            if (!added.isEmpty()) {
                files.sync(folder.values());
            }
            commit(said, keyVersion);
        } catch (IOException e) {
            if (!doubtful) {
                added.forEach(entry -> quietlyDelete(folder.value(entry.file())));
            }
            throw Failures.write(folder.path(), e);
        }
    }

    /**
     * The head must be the one that this store wrote last; otherwise another process writes here
     * too.
     */
    private void requireUntouched() throws IOException {
        byte[] found;
        try {
            found = files.read(folder.head(), Head.BYTES);
        } catch (NoSuchFileException e) {
            found = new byte[0];
        }
        if (doubtful || !Arrays.equals(found, head.bytes(indexKey))) {
            doubtful = true;
            throw Failures.corrupt(
                    "The head of the vault, "
                            + folder.head()
                            + ", is not the one that this gateway wrote last");
        }
    }

    private Entry value(Change.Put put) throws IOException {
        Entry entry = new Entry(put.info(), Folder.newName(aead), Entry.digest(put.content()));
        files.writeNew(folder.value(entry.file()), put.content());
        return entry;
    }

    private void commit(List<byte[]> said, int keyVersion) throws IOException {
        Head old = head;
        int secrets = sizeAfter(said);
        boolean rewrite = records + said.size() > 2L * secrets + SLACK;
        Log.Written written;
        if (rewrite) {
            written = startLog(after(said));
        } else {
            nextLog = old.log();
            written = Log.write(indexKey, old.last(), said);
            files.append(folder.log(old.log()), old.logLength(), written.bytes());
        }
        long length = (rewrite ? 0 : old.logLength()) + written.bytes().length;
        replaceHead(
                new Head(old.counter() + 1, keyVersion, nextLog, length, written.last(), secrets));
        records = rewrite ? secrets : records + said.size();
        said.stream().map(this::apply).flatMap(Optional::stream).forEach(this::quietlyDelete);
        if (rewrite) {
            quietlyDelete(folder.log(old.log()));
        }
    }

    private int sizeAfter(List<byte[]> said) {
        Set<String> added = new TreeSet<>();
        Set<String> removed = new TreeSet<>();
        for (byte[] record : said) {
            String name = Entry.nameIn(record);
            (Entry.removes(record) ? removed : added).add(name);
        }
        removed.retainAll(entries.keySet());
        added.removeAll(entries.keySet());
        return entries.size() + added.size() - removed.size();
    }

    private List<byte[]> after(List<byte[]> said) {
        Map<String, byte[]> all = new TreeMap<>();
        entries.forEach((name, entry) -> all.put(name, entry.put()));
        for (byte[] record : said) {
            if (Entry.removes(record)) {
                all.remove(Entry.nameIn(record));
            } else {
                all.put(Entry.nameIn(record), record);
            }
        }
        return List.copyOf(all.values());
    }

    private Log.Written startLog(List<byte[]> all) throws IOException {
        nextLog = Folder.newName(aead);
        Log.Written written = Log.write(indexKey, Log.start(indexKey, nextLog), all);
        files.writeNew(folder.log(nextLog), written.bytes());
        return written;
    }

    private void replaceHead(Head next) throws IOException {
        Path temporary = folder.temporaryHead();
        files.delete(temporary);
        files.writeNew(temporary, next.bytes(indexKey));
        boolean settled = false;
        try {
            files.rename(temporary, folder.head());
            files.sync(folder.path());
            settled = true;
        } finally {
            if (!settled) {
                doubtful = true; // not before: a read meanwhile would open the vault again
            }
        }
        head = next;
    }

    private Set<String> names() {
        return entries.values().stream().map(Entry::file).collect(Collectors.toSet());
    }

    private void quietlyDelete(Path file) {
        try {
            files.delete(file);
        } catch (IOException e) {
            // The next start sweeps it up.
        }
    }

    /** Deletes what crashes left behind. Only when it is sure that the index is the newest. */
    public void sweep() throws IOException {
        Set<String> kept = names();
        kept.add(folder.log(head.log()).getFileName().toString());
        try (Stream<Path> left = folder.leftovers()) {
            left.filter(file -> !kept.contains(file.getFileName().toString()))
                    .forEach(this::quietlyDelete);
        }
        Files.deleteIfExists(folder.temporaryHead());
    }
}
