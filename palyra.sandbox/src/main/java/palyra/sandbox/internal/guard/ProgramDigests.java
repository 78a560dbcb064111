package palyra.sandbox.internal.guard;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import palyra.shared.files.FileStamp;
import palyra.shared.hash.Digests;

/**
 * SHA-256 of programs, remembered for as long as the file has the same identity, size and times of
 * change. Thread-safe; two threads may read one file at a time.
 */
final class ProgramDigests {
    private static final int MAX_KEPT = 512;
    private static final int BUFFER_BYTES = 64 * 1_024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<FileStamp, String> known = // guarded by lock
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<FileStamp, String> eldest) {
                    return size() > MAX_KEPT;
                }
            };

    /** Returns the digest as lower-case hex. */
    String of(Path program) throws IOException {
        FileStamp stamp = FileStamp.of(program);
        lock.lock();
        try {
            String digest = known.get(stamp);
            if (digest != null) {
                return digest;
            }
        } finally {
            lock.unlock();
        }
        String digest = read(program);
        if (!FileStamp.of(program).equals(stamp)) {
            throw new IOException(program + " changed while it was read");
        }
        lock.lock();
        try {
            known.put(stamp, digest);
        } finally {
            lock.unlock();
        }
        return digest;
    }

    private static String read(Path program) throws IOException {
        MessageDigest sha256 = sha256();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = Files.newInputStream(program)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                sha256.update(buffer, 0, n);
            }
        }
        return Digests.hex(sha256.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
