package palyra.sandbox.internal.files;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Width and height of an image in pixels, from its header alone: nothing is decoded. Pure.
 *
 * @param width at least 1
 * @param height at least 1
 */
record ImageSize(int width, int height) {
    /** Returns the size; empty for a file that is broken or of another type. */
    static Optional<ImageSize> of(String mediaType, byte[] file) {
        try {
            int[] found =
                    switch (mediaType) {
                        case "image/png" -> png(bytes(file, ByteOrder.BIG_ENDIAN));
                        case "image/gif" -> gif(bytes(file, ByteOrder.LITTLE_ENDIAN));
                        case "image/webp" -> webp(bytes(file, ByteOrder.LITTLE_ENDIAN));
                        case "image/jpeg" -> jpeg(bytes(file, ByteOrder.BIG_ENDIAN));
                        default -> new int[] {0, 0};
                    };
            return found[0] > 0 && found[1] > 0
                    ? Optional.of(new ImageSize(found[0], found[1]))
                    : Optional.empty();
        } catch (IndexOutOfBoundsException e) {
            return Optional.empty(); // it ends too early
        }
    }

    private static ByteBuffer bytes(byte[] file, ByteOrder order) {
        return ByteBuffer.wrap(file).order(order);
    }

    private static int[] png(ByteBuffer file) {
        return tag(file, 12).equals("IHDR")
                ? new int[] {file.getInt(16), file.getInt(20)}
                : new int[] {0, 0};
    }

    private static int[] gif(ByteBuffer file) {
        return new int[] {file.getShort(6) & 0xFFFF, file.getShort(8) & 0xFFFF};
    }

    private static int[] webp(ByteBuffer file) {
        switch (tag(file, 12)) {
            case "VP8 " -> {
                return new int[] {file.getShort(26) & 0x3FFF, file.getShort(28) & 0x3FFF};
            }
            case "VP8L" -> {
                int bits = file.getInt(21);
                return new int[] {(bits & 0x3FFF) + 1, (bits >>> 14 & 0x3FFF) + 1};
            }
            case "VP8X" -> {
                return new int[] {
                    (file.getInt(24) & 0xFFFFFF) + 1, (file.getInt(26) >>> 8 & 0xFFFFFF) + 1
                };
            }
            default -> {
                return new int[] {0, 0};
            }
        }
    }

    private static String tag(ByteBuffer file, int at) {
        byte[] tag = new byte[4];
        file.get(at, tag);
        return new String(tag, StandardCharsets.ISO_8859_1);
    }

    /** The size is in the first frame header; what comes before it says how long it is. */
    private static int[] jpeg(ByteBuffer file) {
        int at = 2;
        while (at < file.limit()) {
            int marker = file.get(at + 1) & 0xFF;
            boolean fill = marker == 0xFF;
            boolean frame =
                    marker >= 0xC0
                            && marker <= 0xCF
                            && marker != 0xC4
                            && marker != 0xC8
                            && marker != 0xCC;
            if ((file.get(at) & 0xFF) != 0xFF) {
                return new int[] {0, 0};
            }
            if (frame) {
                return new int[] {file.getShort(at + 7) & 0xFFFF, file.getShort(at + 5) & 0xFFFF};
            }
            at += fill ? 1 : 2 + Math.max(2, file.getShort(at + 2) & 0xFFFF);
        }
        return new int[] {0, 0};
    }
}
