package palyra.shared.bundles;

import java.io.IOException;
import java.io.InputStream;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32;

/** Reading entries of a jar to their last byte. */
public final class JarEntries {
    private static final int BUFFER_BYTES = 64 * 1024;

    private JarEntries() {}

    /**
     * Reads an entry whole and compares length and sum with what the jar's directory says: a jar
     * file checks signatures as it is read, but no sums.
     *
     * @param limitBytes most bytes to unpack
     * @return how many bytes it has
     * @throws IOException when it is damaged or larger
     * @throws SecurityException when it is not what was signed
     */
    public static long readWhole(JarFile file, JarEntry entry, long limitBytes) throws IOException {
        CRC32 sum = new CRC32();
        byte[] buffer = new byte[BUFFER_BYTES];
        long size = 0;
        try (InputStream in = file.getInputStream(entry)) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                size += count;
                if (size > limitBytes) {
                    throw new IOException(
                            "the entry " + entry.getName() + " unpacks to too many bytes");
                }
                sum.update(buffer, 0, count);
            }
        }
        if (size != entry.getSize() || sum.getValue() != entry.getCrc()) {
            throw new IOException("the entry " + entry.getName() + " is not what was packed");
        }
        return size;
    }
}
