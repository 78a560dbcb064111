package palyra.transport.openai.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import palyra.api.Require;
import palyra.shared.http.AllowedHosts;

/**
 * Validated settings.
 *
 * @param enabled whether requests are answered
 * @param hosts further host names that requests may be addressed to
 * @param conversation how a request becomes a message
 * @param stream how answers are streamed
 * @param bounds what a client may take
 */
public record OpenAiSettings(
        boolean enabled,
        AllowedHosts hosts,
        Conversation conversation,
        Stream stream,
        Bounds bounds) {
    /** What becomes of a client's instructions. */
    public enum Instructions {
        /** They go before the first message of a session. */
        CARRY,
        /** They are left out. */
        IGNORE,
        /** Such requests are refused. */
        REFUSE
    }

    /**
     * How a request becomes a message.
     *
     * @param sessionHeaders headers that name the session, in their order
     * @param instructions what becomes of a client's instructions
     * @param tellEarlier whether a new session is told earlier messages
     * @param contextCharacters most characters told before a message
     * @param transcripts most sessions of a principal recognised by transcript
     */
    public record Conversation(
            List<String> sessionHeaders,
            Instructions instructions,
            boolean tellEarlier,
            int contextCharacters,
            int transcripts) {
        /** Checks. */
        public Conversation {
            sessionHeaders = List.copyOf(sessionHeaders);
            sessionHeaders.forEach(
                    name ->
                            Require.that(
                                    name.matches("[A-Za-z0-9-]{1,64}"),
                                    "sessionHeaders holds '"
                                            + name
                                            + "': give names of headers, such as"
                                            + " X-Palyra-Session"));
            range("contextCharacters", contextCharacters, 0, 200_000);
            range("transcriptsPerPrincipal", transcripts, 1, 100_000);
        }
    }

    /**
     * How answers are streamed.
     *
     * @param live whether text is sent as it is written
     * @param toolWork whether tool calls are shown as reasoning
     * @param cancelOnDisconnect whether a run is cancelled when its client leaves
     * @param keepAliveSeconds silence after which a comment is sent
     */
    public record Stream(
            boolean live, boolean toolWork, boolean cancelOnDisconnect, int keepAliveSeconds) {
        /** Checks. */
        public Stream {
            range("keepAliveSeconds", keepAliveSeconds, 1, 300);
        }
    }

    /**
     * What a client may take.
     *
     * @param bodyBytes largest body
     * @param bodySeconds within which it has to arrive
     * @param requests most at one time
     * @param perPrincipal most of one principal at one time
     * @param stallSeconds that one write may take
     * @param maxSeconds that one request may take
     */
    public record Bounds(
            int bodyBytes,
            int bodySeconds,
            int requests,
            int perPrincipal,
            int stallSeconds,
            int maxSeconds) {
        /** Checks. */
        public Bounds {
            range("bodyBytes", bodyBytes, 1_024, 16 << 20);
            range("bodySeconds", bodySeconds, 1, 300);
            range("maxRequests", requests, 1, 10_000);
            range("maxRequestsPerPrincipal", perPrincipal, 1, 10_000);
            range("stallSeconds", stallSeconds, 1, 600);
            range("maxSeconds", maxSeconds, 1, 86_400);
        }
    }

    /** Checks a configuration. INVALID_ARGUMENT. */
    public static OpenAiSettings of(OpenAiConfiguration given) {
        return new OpenAiSettings(
                given.enabled(),
                AllowedHosts.of(given.allowedHosts()),
                new Conversation(
                        Arrays.stream(given.sessionHeaders())
                                .map(String::strip)
                                .filter(name -> !name.isEmpty())
                                .toList(),
                        Instructions.valueOf(
                                oneOf(
                                                "clientInstructions",
                                                given.clientInstructions(),
                                                List.of("carry", "ignore", "refuse"))
                                        .toUpperCase(Locale.ROOT)),
                        oneOf("earlierMessages", given.earlierMessages(), List.of("tell", "ignore"))
                                .equals("tell"),
                        given.contextCharacters(),
                        given.transcriptsPerPrincipal()),
                new Stream(
                        oneOf("streamText", given.streamText(), List.of("live", "final"))
                                .equals("live"),
                        given.toolWork(),
                        oneOf("onDisconnect", given.onDisconnect(), List.of("leave", "cancel"))
                                .equals("cancel"),
                        given.keepAliveSeconds()),
                new Bounds(
                        given.bodyBytes(),
                        given.bodySeconds(),
                        given.maxRequests(),
                        given.maxRequestsPerPrincipal(),
                        given.stallSeconds(),
                        given.maxSeconds()));
    }

    private static String oneOf(String key, String value, List<String> words) {
        Require.that(
                words.contains(value),
                key + " is '" + value + "': use " + String.join(" or ", words));
        return value;
    }

    private static void range(String key, int value, int least, int most) {
        Require.that(
                value >= least && value <= most,
                key + " is " + value + ": give " + least + " to " + most);
    }
}
