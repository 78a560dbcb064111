package palyra.connectors.discord.internal;

/** Discord's ids: 63 bits, of which the upper ones are a time. Pure. */
final class Snowflakes {
    private static final long EPOCH_MILLIS = 1_420_070_400_000L;

    private Snowflakes() {}

    static boolean isOne(String text) {
        return text.matches("[1-9][0-9]{0,17}|[1-8][0-9]{18}");
    }

    /** Returns when an id was made, as unix time in milliseconds. */
    static long millis(long id) {
        return (id >> 22) + EPOCH_MILLIS;
    }

    /** Returns the lowest id of a time. */
    static long first(long millis) {
        return Math.max(0, millis - EPOCH_MILLIS) << 22;
    }
}
