package palyra.testing.discord;

/**
 * One connection to the gateway, open or not.
 *
 * @param number 1 for the first
 * @param session its session; empty before it has one
 * @param resumed whether it goes on with an older one
 * @param atResumeUrl whether it was opened at the address that READY gave
 * @param compressed whether zlib-stream was asked for
 * @param intents bits it identified with
 * @param heartbeats how many came
 * @param clientCode code that the client closed with; 0 if it did not
 * @param serverCode code that the fake closed with; 0 if it did not
 * @param open whether it is open
 */
public record Connection(
        int number,
        String session,
        boolean resumed,
        boolean atResumeUrl,
        boolean compressed,
        long intents,
        int heartbeats,
        int clientCode,
        int serverCode,
        boolean open) {}
