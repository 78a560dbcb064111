package palyra.testing.discord;

/** What a bot may be allowed in a channel, as far as the fake looks at it. */
public enum Permission {
    /** Puts reactions under messages. */
    ADD_REACTIONS(6),
    /** Sees the channel. */
    VIEW_CHANNEL(10),
    /** Writes. */
    SEND_MESSAGES(11),
    /** Deletes what others wrote. */
    MANAGE_MESSAGES(13),
    /** Links become previews. */
    EMBED_LINKS(14),
    /** Sends files. */
    ATTACH_FILES(15),
    /** Reads what was written before. */
    READ_MESSAGE_HISTORY(16),
    /** Opens threads that all members see. */
    CREATE_PUBLIC_THREADS(35),
    /** Writes in threads. */
    SEND_MESSAGES_IN_THREADS(38);

    private final int bit;

    Permission(int bit) {
        this.bit = bit;
    }

    /** Returns its bit. */
    public long mask() {
        return 1L << bit;
    }
}
