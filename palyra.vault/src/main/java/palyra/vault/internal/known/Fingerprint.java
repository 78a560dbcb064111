package palyra.vault.internal.known;

import java.security.SecureRandom;

/**
 * Polynomial fingerprints of text modulo the prime 2^61 − 1, to a random base (Karp and Rabin,
 * "Efficient randomized pattern-matching algorithms", 1987). Thread-safe.
 */
final class Fingerprint {
    private static final long PRIME = (1L << 61) - 1;

    private final long base;
    private volatile long[] powers = {1};

    Fingerprint(SecureRandom random) {
        base = (random.nextLong() & PRIME) % (PRIME - 65_537) + 65_537;
    }

    /** Returns the fingerprint of a text that is one character longer. */
    long longer(long before, char next) {
        return reduce(times(before, base) + next + 1);
    }

    /** Returns the fingerprint of a whole text. */
    long of(CharSequence text, int from, int to) {
        long value = 0;
        for (int i = from; i < to; i++) {
            value = longer(value, text.charAt(i));
        }
        return value;
    }

    /** Returns the fingerprint of the end of a text, from that of all of it and its beginning. */
    long end(long all, long beginning, int length) {
        long rest = all - times(beginning, power(length));
        return rest < 0 ? rest + PRIME : rest;
    }

    private long power(int exponent) {
        long[] known = powers;
        if (exponent >= known.length) {
            long[] more = new long[Math.max(exponent + 1, 2 * known.length)];
            System.arraycopy(known, 0, more, 0, known.length);
            for (int i = known.length; i < more.length; i++) {
                more[i] = times(more[i - 1], base);
            }
            powers = more;
            known = more;
        }
        return known[exponent];
    }

    private static long times(long a, long b) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        return reduce((low & PRIME) + (low >>> 61 | high << 3));
    }

    private static long reduce(long value) {
        long folded = (value & PRIME) + (value >>> 61);
        return folded >= PRIME ? folded - PRIME : folded;
    }
}
