package palyra.api.channel;

import palyra.api.Require;

/**
 * Where a message was written. Messages of one conversation and thread keep their order in both
 * directions.
 *
 * @param id the platform's id: 1 to 128 printable ASCII characters without a space
 * @param thread id of a thread within it, of the same form; empty when none
 * @param direct whether only the sender and this account take part
 * @param name display name; may be empty
 */
public record Conversation(String id, String thread, boolean direct, String name) {
    /** Checks. */
    public Conversation {
        requireUsable(id, "conversation");
        thread = Require.orEmpty(thread);
        if (!thread.isEmpty()) {
            requireUsable(thread, "thread");
        }
        name = Require.atMost(Require.orEmpty(name), 256, "name of a conversation");
    }

    private static void requireUsable(String id, String what) {
        Require.that(
                id != null && id.matches("[!-~]{1,128}"),
                "id of a "
                        + what
                        + " '"
                        + id
                        + "' is not usable: 1 to 128 printable ASCII characters without a space");
    }

    /** Returns a conversation of two. */
    public static Conversation direct(String id) {
        return new Conversation(id, "", true, "");
    }

    /** Returns a conversation of several without threads. */
    public static Conversation group(String id, String name) {
        return new Conversation(id, "", false, name);
    }
}
