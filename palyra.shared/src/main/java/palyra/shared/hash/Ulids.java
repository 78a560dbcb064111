package palyra.shared.hash;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import palyra.api.Require;

/**
 * ULIDs (github.com/ulid/spec): 48 bits of unix milliseconds and 80 random bits in Crockford base
 * 32, 26 characters. Ids made by one instance rise strictly, also within a millisecond and when the
 * clock goes back. Thread-safe.
 */
public final class Ulids {
    private static final char[] ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();
    private static final int LENGTH = 26;
    private static final long LOW_40 = (1L << 40) - 1;

    private final SecureRandom random = new SecureRandom();
    private long lastMillis;
    private long high40;
    private long low40;

    /** Returns the next id. */
    public synchronized String next() {
        long now = Math.max(System.currentTimeMillis(), lastMillis);
        if (now == lastMillis) {
            increment();
        } else {
            lastMillis = now;
            high40 = random.nextLong() & LOW_40;
            low40 = random.nextLong() & LOW_40;
        }
        return format(lastMillis, high40, low40);
    }

    /** Returns the least id that can be made at a time, in unix milliseconds; less sorts before. */
    public static String firstAt(long millis) {
        Require.that(millis >= 0 && millis < 1L << 48, millis + " is not a time of an id");
        return format(millis, 0, 0);
    }

    private void increment() {
        low40 = (low40 + 1) & LOW_40;
        if (low40 == 0) {
            high40 = (high40 + 1) & LOW_40;
            if (high40 == 0) {
                lastMillis++;
            }
        }
    }

    private static String format(long millis, long high, long low) {
        char[] out = new char[LENGTH];
        put(out, 0, 10, millis);
        put(out, 10, 8, high);
        put(out, 18, 8, low);
        return new String(out);
    }

    private static void put(char[] out, int from, int count, long value) {
        for (int i = from + count - 1; i >= from; i--) {
            out[i] = ALPHABET[(int) (value & 31)];
            value >>>= 5;
        }
    }

    /** Returns whether {@code text} is a ULID in its canonical upper-case form. */
    public static boolean isUlid(String text) {
        return text != null && text.matches("[0-7][0-9A-HJKMNP-TV-Z]{25}");
    }

    /**
     * Returns {@code text}, or throws INVALID_ARGUMENT naming {@code what} when it is not a ULID.
     */
    public static String require(String text, String what) {
        Require.that(
                isUlid(text),
                what
                        + " '"
                        + (text == null ? "" : text)
                        + "' is not an id: give its 26 characters as they were shown");
        return text;
    }

    /**
     * Returns the 16 bytes of an id, most significant first. INVALID_ARGUMENT when it is not an id.
     */
    public static byte[] bytes(String ulid) {
        require(ulid, "id");
        long high = 0;
        long low = 0;
        for (int i = 0; i < LENGTH; i++) {
            high = high << 5 | low >>> 59;
            low = low << 5 | Arrays.binarySearch(ALPHABET, ulid.charAt(i));
        }
        return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
    }
}
