package palyra.connectors.discord.internal;

/** What an application may, as Discord's flags say. Pure. */
final class ApplicationFlags {
    private static final long CONTENT = 1 << 18;
    private static final long CONTENT_LIMITED = 1 << 19; // in fewer than 100 servers

    private ApplicationFlags() {}

    /** Returns whether Message Content Intent is on. */
    static boolean mayReadContent(long flags) {
        return (flags & (CONTENT | CONTENT_LIMITED)) != 0;
    }
}
