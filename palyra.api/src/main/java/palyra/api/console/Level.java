package palyra.api.console;

/** How a state or a notice is shown. */
public enum Level {
    /** Plain: nothing to do. */
    NEUTRAL,
    /** As it should be. */
    GOOD,
    /** Work under way, or worth a look. */
    NOTICE,
    /** Needs attention soon. */
    WARNING,
    /** Does not work, or was denied. */
    BAD
}
