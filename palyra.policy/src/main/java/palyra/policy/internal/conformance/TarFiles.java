package palyra.policy.internal.conformance;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/** The files of an archive, kept in memory, compressed one by one. */
public final class TarFiles implements CorpusFiles {
    private static final int BUFFER = 1 << 16;
    private static final long MOST_BYTES = 256L << 20;

    private record Packed(int size, byte[] deflated) {}

    private final Map<String, Packed> files;
    private final List<String> names;

    private TarFiles(Map<String, Packed> files) {
        this.files = files;
        this.names = files.keySet().stream().sorted().toList();
    }

    /**
     * Reads an archive to its end.
     *
     * @param what its name, for errors
     * @throws CorpusException when it is broken, cut off or too large
     */
    public static TarFiles read(InputStream raw, String what) throws IOException {
        try {
            InputStream in = unzipped(new BufferedInputStream(raw, BUFFER));
            Map<String, Packed> files = new HashMap<>();
            long[] kept = new long[1];
            new TarReader(in)
                    .forEach(
                            (name, content) -> {
                                Packed packed = pack(content);
                                kept[0] += packed.deflated().length;
                                requireRoom(kept[0], what);
                                files.put(name, packed);
                            });
            // The check sum stands behind the last entry.
            in.transferTo(OutputStream.nullOutputStream());
            return new TarFiles(files);
        } catch (EOFException | ZipException e) {
            throw new CorpusException(
                    "The archive "
                            + what
                            + " is broken or was cut off ("
                            + e.getMessage()
                            + "); fetch it again.",
                    e);
        }
    }

    private static InputStream unzipped(InputStream in) throws IOException {
        in.mark(2);
        boolean zipped = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return zipped ? new BufferedInputStream(new GZIPInputStream(in, BUFFER), BUFFER) : in;
    }

    private static void requireRoom(long bytes, String what) {
        if (bytes > MOST_BYTES) {
            throw new CorpusException(
                    "The archive "
                            + what
                            + " is too large to be held in memory; unpack it and name the folder.");
        }
    }

    private static Packed pack(byte[] content) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        try {
            deflater.setInput(content);
            deflater.finish();
            byte[] room = new byte[content.length + content.length / 1000 + 64];
            int length = deflater.deflate(room);
            return new Packed(content.length, java.util.Arrays.copyOf(room, length));
        } finally {
            deflater.end();
        }
    }

    @Override
    public List<String> names() {
        return names;
    }

    @Override
    public Optional<String> find(String from, String reference) {
        String wanted = TarReader.clean(reference);
        String folder = from;
        while (true) {
            int end = folder.lastIndexOf('/');
            folder = end < 0 ? "" : folder.substring(0, end);
            String name = folder.isEmpty() ? wanted : folder + "/" + wanted;
            if (files.containsKey(name)) {
                return Optional.of(name);
            }
            if (folder.isEmpty()) {
                return Optional.empty();
            }
        }
    }

    @Override
    public byte[] bytes(String name) {
        Packed packed = files.get(name);
        if (packed == null) {
            throw new CorpusException("The archive holds no " + name + ".");
        }
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(packed.deflated());
            byte[] content = new byte[packed.size()];
            int length = 0;
            while (length < content.length && !inflater.finished()) {
                length += inflater.inflate(content, length, content.length - length);
            }
            return content;
        } catch (DataFormatException e) {
            throw new IllegalStateException("what was deflated here does not inflate", e);
        } finally {
            inflater.end();
        }
    }
}
