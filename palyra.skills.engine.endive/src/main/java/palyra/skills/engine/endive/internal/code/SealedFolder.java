package palyra.skills.engine.endive.internal.code;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.shared.files.DurableFiles;

/**
 * A cache in a folder of the gateway's user alone. Each entry ends with an HMAC-SHA-256 (RFC 2104)
 * under the folder's own key over the module's digest, the version of the engine and the content,
 * and is used only when it matches: bytes from another program are never loaded as classes. The
 * least recently used entries go when the folder is too large.
 */
public final class SealedFolder implements DiskCache {
    private static final Logger LOG = LoggerFactory.getLogger(SealedFolder.class);
    private static final String ALGORITHM = "HmacSHA256";
    private static final int MAC_BYTES = 32;
    private static final String KEY = "key";
    private static final String SUFFIX = ".code";

    private final Path folder;
    private final String version;
    private final long mostBytes;
    private final DurableFiles files = new DurableFiles();
    private final ReentrantLock lock = new ReentrantLock(); // guards changes of the folder
    private final AtomicLong hits = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong problems = new AtomicLong();
    private final AtomicLong serial = new AtomicLong();
    private final SecretKeySpec key;

    /**
     * Opens the folder, and makes it if it is missing.
     *
     * @param version of everything that decides what compiled code looks like
     * @param mostBytes size of all entries together
     * @throws IOException when the folder or its key cannot be had; without them there is no cache
     */
    public SealedFolder(Path folder, String version, long mostBytes) throws IOException {
        this.folder = folder;
        this.version = version;
        this.mostBytes = mostBytes;
        files.makeFolder(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        sweep();
        this.key = new SecretKeySpec(readKey(), ALGORITHM);
    }

    /** Removes what an interrupted write left. */
    private void sweep() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            for (Path one : all.filter(file -> name(file).startsWith("new-")).toList()) {
                files.delete(one);
            }
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    private byte[] readKey() throws IOException {
        Path file = folder.resolve(KEY);
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.size(file) == MAC_BYTES
                && Files.getPosixFilePermissions(file)
                        .equals(PosixFilePermissions.fromString("rw-------"))) {
            return Files.readAllBytes(file);
        }
        files.delete(file);
        byte[] fresh = new byte[MAC_BYTES];
        new SecureRandom().nextBytes(fresh);
        Path temporary = folder.resolve("new-" + KEY);
        files.writeNew(temporary, fresh);
        files.rename(temporary, file);
        files.sync(folder);
        return fresh;
    }

    private Path file(String digest) {
        return folder.resolve(digest + SUFFIX);
    }

    @Override
    public Optional<byte[]> get(String digest) {
        Path file = file(digest);
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return foreign(digest, Files.exists(file, LinkOption.NOFOLLOW_LINKS));
            }
            byte[] entry = Files.size(file) > mostBytes ? new byte[0] : Files.readAllBytes(file);
            int length = Math.max(0, entry.length - MAC_BYTES);
            byte[] content = Arrays.copyOf(entry, length);
            byte[] said = Arrays.copyOfRange(entry, length, entry.length);
            if (!MessageDigest.isEqual(said, mac(digest, content))) {
                return foreign(digest, true);
            }
            Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis()));
            hits.incrementAndGet();
            return Optional.of(content);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            problem(e);
            return Optional.empty();
        }
    }

    private Optional<byte[]> foreign(String digest, boolean there) {
        if (there) {
            refused.incrementAndGet();
            LOG.warn(
                    "The cached code of module {} is not as it was written: it is removed.",
                    digest);
            remove(digest);
        }
        return Optional.empty();
    }

    @Override
    public void put(String digest, byte[] content) {
        if (content.length + MAC_BYTES > mostBytes) {
            return;
        }
        byte[] entry = Arrays.copyOf(content, content.length + MAC_BYTES);
        System.arraycopy(mac(digest, content), 0, entry, content.length, MAC_BYTES);
        lock.lock();
        try {
            makeRoom(entry.length);
            Path temporary = folder.resolve("new-" + serial.incrementAndGet() + "-" + digest);
            try {
                files.writeNew(temporary, entry);
                files.rename(temporary, file(digest));
            } finally {
                files.delete(temporary);
            }
        } catch (IOException e) {
            problem(e);
        } finally {
            lock.unlock();
        }
    }

    private void makeRoom(long bytes) throws IOException {
        List<Path> oldest;
        try (Stream<Path> all = Files.list(folder)) {
            oldest =
                    all.filter(file -> name(file).endsWith(SUFFIX))
                            .sorted(Comparator.comparing(SealedFolder::used))
                            .toList();
        }
        long size = bytes;
        for (Path one : oldest) {
            size += Files.size(one);
        }
        for (Path one : oldest) {
            if (size <= mostBytes) {
                return;
            }
            size -= Files.size(one);
            files.delete(one);
        }
    }

    private static FileTime used(Path file) {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    @Override
    public void remove(String digest) {
        lock.lock();
        try {
            files.delete(file(digest));
        } catch (IOException e) {
            problem(e);
        } finally {
            lock.unlock();
        }
    }

    private void problem(IOException e) {
        problems.incrementAndGet();
        LOG.warn("The cache of compiled modules in {} does not work: {}", folder, "" + e);
    }

    private byte[] mac(String digest, byte[] content) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            for (String part : List.of("palyra.wasm-cache.v1", digest, version)) {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
                mac.update(bytes);
            }
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JVM has no " + ALGORITHM, e);
        }
    }

    @Override
    public Counts counts() {
        return new Counts(hits.get(), refused.get(), problems.get());
    }
}
