package palyra.transport.openai.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** Configuration of the OpenAI-compatible server. */
@ObjectClassDefinition(
        name = "Palyra OpenAI-compatible server",
        description =
                "Chat completions and responses over HTTP, for clients of OpenAI's interface.")
public @interface OpenAiConfiguration {
    /** Whether requests are answered. */
    @AttributeDefinition(
            name = "Enabled",
            description = "Whether requests under /v1/ are answered.",
            required = false)
    boolean enabled() default true;

    /** Host names that requests may carry. */
    @AttributeDefinition(
            name = "Allowed hosts",
            description =
                    "Host names, without port, that a request may be addressed to, besides"
                            + " localhost and addresses. Guards against DNS rebinding.",
            required = false)
    String[] allowedHosts() default {};

    /** Headers that name the session. */
    @AttributeDefinition(
            name = "Session headers",
            description =
                    "Request headers that name the session; the first one that a request carries"
                            + " counts.",
            required = false)
    String[] sessionHeaders() default {"X-Palyra-Session", "X-OpenWebUI-Chat-Id"};

    /** What becomes of system and developer messages. */
    @AttributeDefinition(
            name = "Client's instructions",
            description =
                    "carry: system and developer messages and instructions of a client go before"
                            + " the first message of a session, marked as the client's; ignore:"
                            + " they are left out; refuse: such requests are refused.",
            options = {
                @Option(label = "carry", value = "carry"),
                @Option(label = "ignore", value = "ignore"),
                @Option(label = "refuse", value = "refuse")
            },
            required = false)
    String clientInstructions() default "carry";

    /** What becomes of earlier messages that the session does not have. */
    @AttributeDefinition(
            name = "Earlier messages",
            description =
                    "tell: a new session is told the earlier messages of the request; ignore: they"
                            + " are left out.",
            options = {
                @Option(label = "tell", value = "tell"),
                @Option(label = "ignore", value = "ignore")
            },
            required = false)
    String earlierMessages() default "tell";

    /** Most characters told before a message. */
    @AttributeDefinition(
            name = "Context characters",
            description =
                    "Most characters of a client's instructions and earlier messages, together,"
                            + " that a new session is told; the oldest messages are left out first.",
            min = "0",
            max = "200000",
            required = false)
    int contextCharacters() default 65_536;

    /** When text is streamed. */
    @AttributeDefinition(
            name = "Streamed text",
            description =
                    "live: text is sent as the model writes it; final: the text of a turn is sent"
                            + " as a whole when the turn is recorded, and text beside tool calls as"
                            + " reasoning.",
            options = {
                @Option(label = "live", value = "live"),
                @Option(label = "final", value = "final")
            },
            required = false)
    String streamText() default "live";

    /** Whether tool work is shown. */
    @AttributeDefinition(
            name = "Tool work",
            description =
                    "Whether proposals, decisions and outputs of tools are shown as reasoning;"
                            + " approvals and waits always are.",
            required = false)
    boolean toolWork() default true;

    /** What becomes of a run whose client leaves. */
    @AttributeDefinition(
            name = "On disconnect",
            description =
                    "leave: a run goes on when the client of its stream disconnects; cancel: it is"
                            + " cancelled.",
            options = {
                @Option(label = "leave", value = "leave"),
                @Option(label = "cancel", value = "cancel")
            },
            required = false)
    String onDisconnect() default "leave";

    /** Seconds between keep-alive comments. */
    @AttributeDefinition(
            name = "Keep-alive seconds",
            description = "Seconds without an event after which a stream carries a comment.",
            min = "1",
            max = "300",
            required = false)
    int keepAliveSeconds() default 15;

    /** Largest request body. */
    @AttributeDefinition(
            name = "Body bytes",
            description = "Largest body of a request, in bytes.",
            min = "1024",
            max = "16777216",
            required = false)
    int bodyBytes() default 1 << 20;

    /** How long a body may take. */
    @AttributeDefinition(
            name = "Body seconds",
            description = "Seconds within which the body of a request has to arrive.",
            min = "1",
            max = "300",
            required = false)
    int bodySeconds() default 10;

    /** Most requests at once. */
    @AttributeDefinition(
            name = "Requests",
            description = "Most requests at one time, streams included.",
            min = "1",
            max = "10000",
            required = false)
    int maxRequests() default 128;

    /** Most requests of one principal at once. */
    @AttributeDefinition(
            name = "Requests of a principal",
            description = "Most requests of one principal at one time, streams included.",
            min = "1",
            max = "10000",
            required = false)
    int maxRequestsPerPrincipal() default 32;

    /** How long one write may take. */
    @AttributeDefinition(
            name = "Stall seconds",
            description =
                    "Seconds that a client may take to read what was sent before its connection is"
                            + " closed.",
            min = "1",
            max = "600",
            required = false)
    int stallSeconds() default 30;

    /** How long one request may take. */
    @AttributeDefinition(
            name = "Longest request",
            description = "Seconds after which a request or stream ends although its run goes on.",
            min = "1",
            max = "86400",
            required = false)
    int maxSeconds() default 3_600;

    /** Conversations that are recognised by their transcript. */
    @AttributeDefinition(
            name = "Transcripts of a principal",
            description =
                    "Most sessions of one principal that are recognised by the transcript that the"
                            + " client sends; the one unused for longest is forgotten first.",
            min = "1",
            max = "100000",
            required = false)
    int transcriptsPerPrincipal() default 1_000;
}
