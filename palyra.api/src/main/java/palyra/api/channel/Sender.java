package palyra.api.channel;

import palyra.api.Require;

/**
 * Who wrote a message, as the platform says.
 *
 * @param id the platform's permanent id of the account, never a name that can be changed: 1 to 64
 *     of {@code [A-Za-z0-9._@-]}
 * @param name display name, for people to read and never compared; may be empty
 * @param bot whether a program wrote it
 * @param verified whether the platform vouches that this account wrote it; false for e-mail without
 *     valid signatures and the like
 */
public record Sender(String id, String name, boolean bot, boolean verified) {
    /** Checks. */
    public Sender {
        Require.that(
                id != null && id.matches("[A-Za-z0-9._@-]{1,64}"),
                "id of a sender '"
                        + id
                        + "' is not usable: 1 to 64 of letters, digits and . _ @ -");
        name = Require.atMost(Require.orEmpty(name), 256, "name of a sender");
    }
}
