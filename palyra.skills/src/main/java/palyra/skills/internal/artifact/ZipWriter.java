package palyra.skills.internal.artifact;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import palyra.skills.internal.RefusedException;

/**
 * Writes the ZIP archives that {@link ZipReader} takes. Sorted entries, one fixed time, mode 0644:
 * the same entries give the same bytes on the same Java.
 */
final class ZipWriter {
    /** 1980-01-01, the first day that the format knows. */
    private static final int DATE = 0x0021;

    private static final int NEEDED = 20;
    private static final int MADE_BY_UNIX = 0x0314;
    private static final long MODE = 0100644L << 16;

    private ZipWriter() {}

    private record Packed(byte[] name, int method, byte[] data, long crc, int size) {}

    /** Returns the archive of these entries; {@code artifact_too_large} when they do not fit. */
    static byte[] write(SortedMap<String, byte[]> entries) {
        List<Packed> all = new ArrayList<>();
        long length = ZipReader.END_BYTES;
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
            Paths.require(entry.getKey());
            Packed packed = pack(entry.getKey(), entry.getValue());
            all.add(packed);
            length +=
                    ZipReader.LOCAL_BYTES
                            + ZipReader.CENTRAL_BYTES
                            + 2L * packed.name().length
                            + packed.data().length;
        }
        if (length > ArtifactLimits.MAX_BYTES) {
            throw new RefusedException(
                    "artifact_too_large",
                    "The artifact would have " + length + " bytes; 64 MiB fit.");
        }
        ByteBuffer out = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> places = new ArrayList<>();
        for (Packed each : all) {
            places.add(out.position());
            out.putInt(ZipReader.LOCAL);
            common(out, each);
            out.put(each.name()).put(each.data());
        }
        int directory = out.position();
        for (int i = 0; i < all.size(); i++) {
            Packed each = all.get(i);
            out.putInt(ZipReader.CENTRAL).putShort((short) MADE_BY_UNIX);
            common(out, each);
            out.putShort((short) 0).putShort((short) 0).putShort((short) 0);
            out.putInt((int) MODE).putInt(places.get(i)).put(each.name());
        }
        int size = out.position() - directory;
        out.putInt(ZipReader.END).putShort((short) 0).putShort((short) 0);
        out.putShort((short) all.size()).putShort((short) all.size());
        out.putInt(size).putInt(directory).putShort((short) 0);
        return out.array();
    }

    private static void common(ByteBuffer out, Packed each) {
        out.putShort((short) NEEDED).putShort((short) 0).putShort((short) each.method());
        out.putShort((short) 0).putShort((short) DATE);
        out.putInt((int) each.crc()).putInt(each.data().length).putInt(each.size());
        out.putShort((short) each.name().length).putShort((short) 0);
    }

    private static Packed pack(String path, byte[] content) {
        CRC32 crc = new CRC32();
        crc.update(content);
        byte[] smaller = deflate(content);
        boolean stored = smaller.length >= content.length;
        return new Packed(
                path.getBytes(StandardCharsets.US_ASCII),
                stored ? ZipReader.STORED : ZipReader.DEFLATED,
                stored ? content : smaller,
                crc.getValue(),
                content.length);
    }

    private static byte[] deflate(byte[] content) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try {
            deflater.setInput(content);
            deflater.finish();
            byte[] out = new byte[content.length];
            int have = 0;
            while (!deflater.finished() && have < out.length) {
                have += deflater.deflate(out, have, out.length - have);
            }
            return deflater.finished() ? Arrays.copyOf(out, have) : content;
        } finally {
            deflater.end();
        }
    }
}
