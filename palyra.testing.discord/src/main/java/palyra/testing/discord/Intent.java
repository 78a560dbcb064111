package palyra.testing.discord;

/** Which events a bot asks for when it identifies. */
public enum Intent {
    /** Guilds, channels, threads, roles. */
    GUILDS(0),
    /** Members; privileged. */
    GUILD_MEMBERS(1),
    /** Who is there; privileged. */
    GUILD_PRESENCES(8),
    /** Messages in guilds. */
    GUILD_MESSAGES(9),
    /** Reactions in guilds. */
    GUILD_MESSAGE_REACTIONS(10),
    /** Typing in guilds. */
    GUILD_MESSAGE_TYPING(11),
    /** Direct messages. */
    DIRECT_MESSAGES(12),
    /** Reactions in direct messages. */
    DIRECT_MESSAGE_REACTIONS(13),
    /** Typing in direct messages. */
    DIRECT_MESSAGE_TYPING(14),
    /** Texts of messages that do not concern the bot; privileged. */
    MESSAGE_CONTENT(15);

    /** Bits that Discord knows, also of events that the fake does not send. */
    static final long KNOWN = 0x3ffffffL & ~(1L << 17 | 1L << 18 | 1L << 19 | 1L << 22 | 1L << 23);

    private final int bit;

    Intent(int bit) {
        this.bit = bit;
    }

    /** Returns its bit. */
    public long mask() {
        return 1L << bit;
    }

    /** Returns whether Discord's portal has to grant it. */
    public boolean isPrivileged() {
        return this == GUILD_MEMBERS || this == GUILD_PRESENCES || this == MESSAGE_CONTENT;
    }

    /** Returns the bits of those that are privileged. */
    static long privileged() {
        return GUILD_MEMBERS.mask() | GUILD_PRESENCES.mask() | MESSAGE_CONTENT.mask();
    }
}
