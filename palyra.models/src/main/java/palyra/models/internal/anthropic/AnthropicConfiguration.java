package palyra.models.internal.anthropic;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of one server; the name of the provider is that of the file, PID~NAME.json. */
@ObjectClassDefinition(
        name = "Anthropic model provider",
        description = "A server that speaks the Messages API of Anthropic; see docs/models.md.")
@interface AnthropicConfiguration {
    /** The PID. */
    String PID = "palyra.models.anthropic";

    /** Address. */
    @AttributeDefinition(
            required = false,
            description =
                    "Address up to and without /v1/messages, https; http to this machine, or"
                            + " with allowPlainHttp. No user, query or fragment. A private or"
                            + " loopback address must be in allowPrivate of palyra.sandbox.egress"
                            + " as well.")
    String baseUrl() default "https://api.anthropic.com";

    /** Reference to the key. */
    @AttributeDefinition(
            required = false,
            description =
                    "vault:SCOPE/KEY of the key; empty for a server without keys. Never a key itself.")
    String apiKey() default "";

    /** Model. */
    @AttributeDefinition(
            required = false,
            description = "Model of agents that name none; the API wants a name.")
    String defaultModel() default "";

    /** Models that see. */
    @AttributeDefinition(
            required = false,
            description =
                    "Models that see images, each a name or a pattern with *, such as *. They are"
                            + " shown the images that tools return; others are told of them.")
    String[] visionModels() default {};

    /** Further headers. */
    @AttributeDefinition(
            required = false,
            description = "Further headers as 'Name: value', without credentials.")
    String[] headers() default {};

    /** Plain HTTP. */
    @AttributeDefinition(
            description = "Whether baseUrl may be http to another machine, in a trusted network.")
    boolean allowPlainHttp() default false;

    /** Time to connect. */
    @AttributeDefinition(
            min = "100",
            max = "120000",
            description = "Longest time for name, connection and TLS, in milliseconds.")
    int connectMillis() default 10_000;

    /** Time to the first token. */
    @AttributeDefinition(
            min = "100",
            max = "3600000",
            description =
                    "Added to connectMillis, the longest time from the start of an attempt to the"
                            + " first token, in milliseconds. Unused connection time is left to the model.")
    int firstTokenMillis() default 60_000;

    /** Time between tokens. */
    @AttributeDefinition(
            min = "100",
            max = "3600000",
            description = "Longest silence after that, in milliseconds.")
    int betweenTokensMillis() default 30_000;

    /** Time in all. */
    @AttributeDefinition(
            min = "0",
            max = "86400000",
            description = "Longest time of an answer in all, in milliseconds; 0 for no limit.")
    int totalMillis() default 600_000;

    /** Most turns. */
    @AttributeDefinition(
            min = "1",
            max = "1000",
            description = "Most turns at a time; further ones are refused. Each uses a thread.")
    int maxTurns() default 64;

    /** Failures that open the circuit. */
    @AttributeDefinition(
            min = "1",
            max = "1000",
            description = "Consecutive failures of server or network that open the circuit.")
    int breakerFailures() default 5;

    /** Time that the circuit is open. */
    @AttributeDefinition(
            min = "1",
            max = "3600000",
            description = "How long the circuit stays open, in milliseconds.")
    int breakerOpenMillis() default 30_000;

    /** Limit of an answer. */
    @AttributeDefinition(
            min = "1",
            max = "1000000",
            description =
                    "Most tokens of an answer where the agent's profile names no limit; the API"
                            + " wants one.")
    int maxTokens() default 8_192;

    /** Version of the API. */
    @AttributeDefinition(description = "Value of the header anthropic-version.")
    String version() default "2023-06-01";
}
