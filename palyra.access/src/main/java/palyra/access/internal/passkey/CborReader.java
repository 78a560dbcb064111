package palyra.access.internal.passkey;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the part of CBOR (RFC 8949) that authenticators use: definite lengths, whole numbers, byte
 * and text strings, arrays, maps, tags left out, true, false and null. Everything else, and a key
 * that a map has twice, is refused. Nothing is allocated for a length that the input does not have.
 */
final class CborReader {
    private static final int DEEPEST = 8;

    private final ByteBuffer input;

    CborReader(byte[] input) {
        this.input = ByteBuffer.wrap(input);
    }

    /** Returns how many bytes were read. */
    int position() {
        return input.position();
    }

    /** Reads a value: Long, byte[], String, List, Map, Boolean, or null. */
    Object read() {
        return read(0);
    }

    /** Reads the one value that the input has. */
    static Object readWhole(byte[] input) {
        CborReader reader = new CborReader(input);
        Object value = reader.read();
        if (reader.input.hasRemaining()) {
            throw new PasskeyException("bytes follow a CBOR value");
        }
        return value;
    }

    /** Reads a map. */
    Map<?, ?> readMap() {
        return asMap(read());
    }

    static Map<?, ?> asMap(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new PasskeyException("a CBOR map is missing");
    }

    private Object read(int depth) {
        if (depth > DEEPEST) {
            throw new PasskeyException("CBOR is nested too deep");
        }
        int head = take(1).get() & 0xff;
        int major = head >> 5;
        int info = head & 31;
        return switch (major) {
            case 0 -> number(info);
            case 1 -> -1 - number(info);
            case 2 -> bytes(length(info));
            case 3 -> text(length(info));
            case 4 -> array(length(info), depth);
            case 5 -> map(length(info), depth);
            case 7 -> simple(info);
            default -> throw new PasskeyException("a CBOR tag is not expected");
        };
    }

    private long number(int info) {
        if (info < 24) {
            return info;
        }
        long value =
                switch (info) {
                    case 24 -> take(1).get() & 0xffL;
                    case 25 -> take(2).getShort() & 0xffffL;
                    case 26 -> take(4).getInt() & 0xffff_ffffL;
                    case 27 -> take(8).getLong();
                    default -> throw new PasskeyException("a CBOR length is not definite");
                };
        if (value < 0) {
            throw new PasskeyException("a CBOR number is beyond 63 bits");
        }
        return value;
    }

    /** No value takes less than a byte, so a length beyond what is left is a lie. */
    private int length(int info) {
        long length = number(info);
        if (length > input.remaining()) {
            throw new PasskeyException("CBOR ends early");
        }
        return (int) length;
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        take(length).get(bytes);
        return bytes;
    }

    private String text(int length) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(take(length)).toString();
        } catch (CharacterCodingException e) {
            throw new PasskeyException("a CBOR text is not UTF-8", e);
        }
    }

    private List<Object> array(int length, int depth) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            values.add(read(depth + 1));
        }
        return values;
    }

    private Map<Object, Object> map(int length, int depth) {
        Map<Object, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < length; i++) {
            Object key = read(depth + 1);
            if (!(key instanceof Long || key instanceof String) || values.containsKey(key)) {
                throw new PasskeyException("a CBOR key is not a number or text, or is there twice");
            }
            values.put(key, read(depth + 1));
        }
        return values;
    }

    private static Object simple(int info) {
        return switch (info) {
            case 20 -> Boolean.FALSE;
            case 21 -> Boolean.TRUE;
            case 22 -> null;
            default -> throw new PasskeyException("a CBOR value is of no expected kind");
        };
    }

    private ByteBuffer take(int length) {
        if (length > input.remaining()) {
            throw new PasskeyException("CBOR ends early");
        }
        ByteBuffer part = input.slice(input.position(), length);
        input.position(input.position() + length);
        return part;
    }
}
