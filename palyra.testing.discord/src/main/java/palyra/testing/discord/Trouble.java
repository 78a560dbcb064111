package palyra.testing.discord;

/** What happens to a connection. */
public enum Trouble {
    /** It ends at once, with a reset. */
    DROP,
    /** It ends without a closing frame. */
    LEAVE,
    /** The client is told to connect again (opcode 7). */
    RECONNECT,
    /** The session is invalid, but may be resumed (opcode 9, true). */
    INVALID_RESUMABLE,
    /** The session is gone (opcode 9, false). */
    INVALID,
    /** It stays open and heartbeats are answered, but no event comes any more. */
    NO_EVENTS,
    /** It stays open, but nothing is said over it any more. */
    ZOMBIE
}
