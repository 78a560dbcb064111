package palyra.shared.settings;

import palyra.api.Require;

/** Bounds of configured numbers. */
public final class Bounds {
    private Bounds() {}

    /** Throws INVALID_ARGUMENT, with the configuration, the key and the bounds, unless it holds. */
    public static void within(String pid, String name, long value, long least, long most) {
        Require.that(
                value >= least && value <= most,
                pid + ": " + name + " is " + value + "; use " + least + " to " + most);
    }
}
