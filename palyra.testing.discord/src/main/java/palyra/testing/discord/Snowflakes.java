package palyra.testing.discord;

/** Makes ids that grow, of the time they are made at. Thread-safe. */
final class Snowflakes {
    private static final long EPOCH_MILLIS = 1_420_070_400_000L;

    private long last;

    synchronized String next() {
        last = Math.max(last + 1, (System.currentTimeMillis() - EPOCH_MILLIS) << 22);
        return Long.toUnsignedString(last);
    }
}
