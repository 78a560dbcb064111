package palyra.journal.internal.database;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Large payloads, one file each, named by the digest of its content. A file is durable before the
 * record that refers to it, and is pinned from then until its unit is settled, so that nothing
 * removes it in between. Thread-safe.
 */
public final class PayloadFiles {
    private static final Set<StandardOpenOption> CREATE =
            Set.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE);

    private static final int MOST_LOOSE = 10_000;
    private static final int MOST_CHECKED = 10_000;

    private final Path folder;
    private final AtomicLong temporary = new AtomicLong();
    private final Map<String, Integer> pins = new HashMap<>(); // guarded by itself
    private final Set<String> loose = new LinkedHashSet<>(); // guarded by pins
    private final Set<String> checked =
            new LinkedHashSet<>(); // content known to be right; guarded by pins
    private final Set<Path> durable = ConcurrentHashMap.newKeySet(); // buckets synced by name

    public PayloadFiles(Path folder) {
        this.folder = folder;
    }

    /**
     * Writes and syncs a payload unless it is there, and pins it; {@link #unpin} undoes the pin.
     */
    public void store(String sha256, byte[] payload) throws IOException {
        synchronized (pins) {
            pins.merge(sha256, 1, Integer::sum); // from here on it is not deleted
        }
        try {
            if (isThere(sha256, payload)) {
                bucketOf(path(sha256));
                sync(path(sha256).getParent()); // who wrote it may not have come that far
            } else {
                write(sha256, payload);
            }
            checked(sha256);
        } catch (IOException e) {
            unpin(sha256);
            throw e;
        }
    }

    /** Returns whether a file has this very content; its content is read once in a process. */
    private boolean isThere(String sha256, byte[] payload) throws IOException {
        Path file = path(sha256);
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    || Files.size(file) != payload.length) {
                return false;
            }
            synchronized (pins) {
                if (checked.contains(sha256)) {
                    return true;
                }
            }
            return Arrays.equals(Files.readAllBytes(file), payload);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private void checked(String sha256) {
        synchronized (pins) {
            checked.add(sha256);
            if (checked.size() > MOST_CHECKED) {
                checked.remove(checked.iterator().next());
            }
        }
    }

    private void write(String sha256, byte[] payload) throws IOException {
        Path target = path(sha256);
        Path parent = bucketOf(target);
        Path part = parent.resolve(sha256 + "." + temporary.incrementAndGet() + ".part");
        try {
            try (FileChannel channel =
                    FileChannel.open(part, CREATE, DatabaseFile.mode("rw-------"))) {
                ByteBuffer bytes = ByteBuffer.wrap(payload);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            sync(parent);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /**
     * Returns the folder of a file, made if need be. Its own entry is durable too: another thread,
     * or a process before, may have made it and not have come to the sync.
     */
    private Path bucketOf(Path target) throws IOException {
        Path bucket = target.getParent();
        if (!durable.contains(bucket)) {
            Files.createDirectories(bucket, DatabaseFile.mode("rwx------"));
            sync(folder);
            sync(folder.getParent());
            durable.add(bucket);
        }
        return bucket;
    }

    /** Makes a folder's entries durable, where a folder can be opened. */
    private static void sync(Path directory) throws IOException {
        if (System.getProperty("os.name").startsWith("Windows")) {
            return; // there a directory cannot be opened; its entries are durable with the file
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Takes one pin off; whether a record came to refer to the file is looked up later. */
    public void unpin(String sha256) {
        synchronized (pins) {
            pins.computeIfPresent(sha256, (name, count) -> count == 1 ? null : count - 1);
            if (loose.size() < MOST_LOOSE) { // files left out are found after the next start
                loose.add(sha256);
            }
        }
    }

    /** Returns some of the files whose pins were taken off, each once. */
    public List<String> takeLoose(int limit) {
        synchronized (pins) {
            List<String> some = loose.stream().limit(limit).toList();
            some.forEach(loose::remove);
            return some;
        }
    }

    /** Reads a payload; NoSuchFileException when it is not there. */
    public byte[] read(String sha256) throws IOException {
        if (!isDigest(sha256)) {
            throw new NoSuchFileException(sha256); // a damaged name must not lead anywhere
        }
        return Files.readAllBytes(path(sha256));
    }

    /**
     * Puts a payload into the folder of another store: as a link where the file system can do that.
     * NoSuchFileException when it is not here.
     */
    public void copyTo(PayloadFiles other, String sha256) throws IOException {
        if (!isDigest(sha256)) {
            throw new NoSuchFileException(sha256); // a damaged name must not lead anywhere
        }
        Path from = path(sha256);
        Path target = other.path(sha256);
        Files.createDirectories(target.getParent(), DatabaseFile.mode("rwx------"));
        try {
            Files.createLink(target, from);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException | UnsupportedOperationException e) {
            Files.copy(from, target, StandardCopyOption.COPY_ATTRIBUTES); // no links here
        }
    }

    /** Deletes a file that no record refers to; false when a unit under way needs it. */
    public boolean delete(String sha256) throws IOException {
        if (!isDigest(sha256)) {
            return true; // no payload file can have a damaged name, so there is nothing to delete
        }
        synchronized (pins) {
            if (pins.containsKey(sha256)) {
                return false;
            }
            checked.remove(sha256);
            Files.deleteIfExists(path(sha256));
            return true;
        }
    }

    /** Entries with another name, or that are not files, are not the journal's and stay. */
    private static boolean isOurs(Path file) {
        String name = file.getFileName().toString();
        return (isDigest(name) || isPart(name))
                && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isPart(String name) {
        return name.endsWith(".part") && name.length() > 64 && isDigest(name.substring(0, 64));
    }

    /** Returns the digests, and left-over parts, in one of the 256 folders. */
    public List<String> names(int bucket) throws IOException {
        List<String> names = new ArrayList<>();
        Path directory = folder.resolve(String.format("%02x", bucket));
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files =
                    Files.newDirectoryStream(directory, PayloadFiles::isOurs)) {
                files.forEach(file -> names.add(file.getFileName().toString()));
            }
        }
        return names;
    }

    /** Deletes a file that was being written when the process died. */
    public void deletePart(int bucket, String name) throws IOException {
        String sha256 = name.substring(0, Math.min(64, name.length()));
        synchronized (pins) {
            if (!pins.containsKey(sha256)) {
                Files.deleteIfExists(folder.resolve(String.format("%02x", bucket)).resolve(name));
            }
        }
    }

    private Path path(String sha256) {
        return folder.resolve(sha256.substring(0, 2)).resolve(sha256);
    }

    /** Of ASCII only: other scripts have digits too, which no file of ours is named by. */
    private static boolean isHexDigit(int c) {
        return c < 128 && Character.digit(c, 16) >= 0;
    }

    /** Returns whether a name is one that a payload can have. */
    public static boolean isDigest(String name) {
        return name.length() == 64 && name.chars().allMatch(PayloadFiles::isHexDigit);
    }
}
