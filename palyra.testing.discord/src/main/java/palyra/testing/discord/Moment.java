package palyra.testing.discord;

/** When in the life of a connection something happens to it. */
public enum Moment {
    /** HELLO was sent. */
    HELLO,
    /** The client identified; READY was not sent. */
    IDENTIFIED,
    /** READY was sent, but no guild. */
    READY,
    /** The client asked to resume; nothing was sent again. */
    RESUMING,
    /** The first of the missed events was sent again, RESUMED was not. */
    REPLAYING,
    /** RESUMED was sent. */
    RESUMED
}
