package palyra.policy.internal.command;

import palyra.api.Require;

/** Digests on the command line. */
final class Digest {
    private static final int LEAST = 6;

    private Digest() {}

    /** Refuses a digest that was cut short: a confirmation speaks of one set only. */
    static void requireWhole(String text) {
        Require.that(
                text.isEmpty() || text.matches("[0-9a-f]{64}"),
                "--confirm takes the whole digest that the refusal named, 64 hex digits");
    }

    /** Refuses what no digest begins with. */
    static String beginning(String text) {
        Require.that(
                text.matches("[0-9a-f]{" + LEAST + ",64}"),
                "'"
                        + text.replaceAll("[^\\p{Print}]", "?")
                        + "' is no digest of a policy set: give at least "
                        + LEAST
                        + " of its hex digits; palyra policy history lists them");
        return text;
    }
}
