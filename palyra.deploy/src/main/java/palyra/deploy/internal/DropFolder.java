package palyra.deploy.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import palyra.shared.files.FileOwner;
import palyra.shared.files.FileStamp;
import palyra.shared.files.FileTrust;
import palyra.shared.files.MediumFailure;

/**
 * Polls the drop-in folder. A jar is read after two successive polls with the same file stamp, and
 * counts when a third poll finds the same bytes. Not thread-safe.
 */
final class DropFolder {
    private final DeploySettings settings;
    private final Path folder;
    private final JarStore store;
    private final FileOwner owner;
    private final SortedMap<String, Entry> entries = new TreeMap<>();
    private DropListing listing = DropListing.EMPTY;
    private long changedNanos;
    private long readings;

    DropFolder(DeploySettings settings, JarStore store, FileOwner owner) {
        this.settings = settings;
        this.folder = settings.folder();
        this.store = store;
        this.owner = owner;
    }

    private static final class Entry {
        private FileStamp stamp = FileStamp.GONE;
        private String sha256 = ""; // of the copy; empty without a copy of this stamp
        private boolean gone; // in the previous poll
        private boolean failed; // could not be read for a temporary reason
        private DropFile file;

        Entry(String name) {
            file = DropFile.settling(name);
        }
    }

    /** Creates the folder if it is inside the state folder; the next poll reports a problem. */
    void prepare() throws IOException {
        if (settings.own() && !Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(
                    folder,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        }
    }

    /**
     * Polls.
     *
     * @throws UnusableFileException when the folder itself cannot be used; the previous state stays
     */
    void poll() throws UnusableFileException {
        listing = DropListing.of(folder, owner);
        for (String name : listing.jars()) {
            poll(entries.computeIfAbsent(name, Entry::new), folder.resolve(name));
        }
        for (Entry entry : entries.values()) {
            if (!listing.jars().contains(entry.file.name())) {
                vanish(entry);
            }
        }
        entries.values().removeIf(entry -> entry.gone && entry.stamp.equals(FileStamp.GONE));
    }

    /** A file that is absent in one poll is being replaced; after two polls it is removed. */
    private void vanish(Entry entry) {
        if (!entry.gone) {
            entry.gone = true;
            changedNanos = System.nanoTime();
        } else {
            entry.stamp = FileStamp.GONE;
        }
    }

    private void poll(Entry entry, Path file) {
        String name = entry.file.name();
        entry.gone = false;
        try {
            FileStamp now = FileStamp.of(file, LinkOption.NOFOLLOW_LINKS);
            if (!now.equals(entry.stamp)) {
                entry.stamp = now;
                entry.sha256 = "";
                entry.failed = false;
                entry.file = DropFile.settling(name);
                changedNanos = System.nanoTime();
            } else if (entry.failed || entry.file.status() == DropFile.Status.SETTLING) {
                entry.failed = false;
                read(entry, file);
            }
        } catch (NoSuchFileException e) {
            vanish(entry);
        } catch (IOException e) {
            entry.failed = true;
            refuse(entry, e);
        }
    }

    /** The storage of the copy may fail, which is no fault of the file. */
    private void refuse(Entry entry, IOException e) {
        if (MediumFailure.of(e, store.folder()) == MediumFailure.NO_SPACE) {
            refuse(
                    entry,
                    DropFile.Status.UNUSABLE,
                    "It cannot be copied: " + MediumFailure.sentence(e, store.folder()) + ".",
                    "It is retried automatically.");
        } else {
            refuse(
                    entry,
                    DropFile.Status.UNTRUSTED,
                    "It cannot be read: " + e.getClass().getSimpleName() + ".",
                    "Make it readable for the user that the gateway runs as.");
        }
    }

    private void read(Entry entry, Path file) throws IOException {
        Optional<String> objection = FileTrust.strictObjection(file, owner);
        if (objection.isPresent()) {
            refuse(
                    entry,
                    DropFile.Status.UNTRUSTED,
                    "It is not trusted: " + objection.get() + ".",
                    "chown it to the gateway's user and chmod go-w it, or copy it again.");
            return;
        }
        try {
            if (entry.sha256.isEmpty()) {
                entry.sha256 = store.take(file, settings.maxFileBytes());
            } else if (entry.sha256.equals(JarStore.digest(file, settings.maxFileBytes()))) {
                settle(entry);
            } else {
                entry.sha256 = "";
            }
        } catch (UnusableFileException e) {
            refuse(entry, DropFile.Status.UNUSABLE, e.getMessage(), e.remedy());
        }
    }

    /** From here on only the copy is used, whether or not the file changes. */
    private void settle(Entry entry) throws IOException, UnusableFileException {
        JarFacts facts =
                JarReader.read(store.jar(entry.sha256), entry.sha256, settings.maxExpandedBytes());
        entry.file = DropFile.whole(entry.file.name(), facts, ++readings);
    }

    private void refuse(Entry entry, DropFile.Status status, String reason, String remedy) {
        if (!entry.file.reason().equals(reason)) {
            entry.file = DropFile.refused(entry.file.name(), status, reason, remedy, ++readings);
        }
    }

    /** Returns the jars of the last successful poll, including those being replaced. */
    SortedMap<String, DropFile> files() {
        SortedMap<String, DropFile> files = new TreeMap<>();
        entries.forEach((name, entry) -> files.put(name, entry.file));
        return files;
    }

    DropListing listing() {
        return listing;
    }

    /** Returns whether a file changed within the last {@code millis} or is not settled. */
    boolean unsettledFor(long millis) {
        boolean lately =
                changedNanos != 0
                        && System.nanoTime() - changedNanos < TimeUnit.MILLISECONDS.toNanos(millis);
        return lately
                && entries.values().stream()
                        .anyMatch(e -> e.file.status() == DropFile.Status.SETTLING);
    }
}
