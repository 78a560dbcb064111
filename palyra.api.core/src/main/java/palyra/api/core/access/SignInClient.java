package palyra.api.core.access;

import palyra.api.Require;

/**
 * Where a person signs in from, as the surface saw it.
 *
 * @param address network address of the browser, or of the proxy before it
 * @param agent a few words about the browser, such as {@code Firefox on Linux}
 * @param origin origin of the surface's page as the browser names it, such as {@code
 *     https://palyra.example}; passkeys are bound to its host
 * @param device what {@link IssuedSession#device} gave this browser at an earlier sign-in; empty
 *     when it has none
 */
public record SignInClient(String address, String agent, String origin, String device) {
    private static final int LONGEST = 256;

    /** Checks; a long agent is cut. */
    public SignInClient {
        Require.that(
                address != null && address.matches("[0-9A-Za-z.:%_-]{1,64}"),
                "the address of the browser is not usable");
        agent = Require.orEmpty(agent);
        agent = agent.length() > LONGEST ? agent.substring(0, LONGEST) : agent;
        origin = Require.orEmpty(origin);
        Require.that(
                origin.length() <= LONGEST,
                "the origin of the page is longer than " + LONGEST + " characters");
        device = Require.orEmpty(device);
    }

    @Override
    public String toString() {
        return "SignInClient[" + address + ", " + agent + ", " + origin + "]";
    }
}
