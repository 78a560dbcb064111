package palyra.models.internal.openai;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** Configuration of one server; the name of the provider is that of the file, PID~NAME.json. */
@ObjectClassDefinition(
        name = "OpenAI-compatible model provider",
        description =
                "A server that speaks the chat completions API of OpenAI; see docs/models.md.")
@interface OpenAiConfiguration {
    /** The PID. */
    String PID = "palyra.models.openai";

    /** Address. */
    @AttributeDefinition(
            required = false,
            description =
                    "Address up to and without /chat/completions, https; http to this machine, or"
                            + " with allowPlainHttp. No user, query or fragment. A private or"
                            + " loopback address must be in allowPrivate of palyra.sandbox.egress"
                            + " as well.")
    String baseUrl() default "https://api.openai.com/v1";

    /** Reference to the key. */
    @AttributeDefinition(
            required = false,
            description =
                    "vault:SCOPE/KEY of the key; empty for a server without keys. Never a key itself.")
    String apiKey() default "";

    /** Model. */
    @AttributeDefinition(
            required = false,
            description = "Model of agents that name none; empty leaves it to the server.")
    String defaultModel() default "";

    /** Organisation. */
    @AttributeDefinition(required = false, description = "Value of OpenAI-Organization, or empty.")
    String organization() default "";

    /** Project. */
    @AttributeDefinition(required = false, description = "Value of OpenAI-Project, or empty.")
    String project() default "";

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

    /** Usage. */
    @AttributeDefinition(
            description = "Whether to ask for the tokens used (stream_options.include_usage).")
    boolean includeUsage() default true;

    /** Name of the limit. */
    @AttributeDefinition(
            description = "Field for the most tokens of an answer.",
            options = {
                @Option(label = "OpenAI", value = "max_completion_tokens"),
                @Option(label = "Most others", value = "max_tokens")
            })
    String maxTokensField() default "max_completion_tokens";

    /** Parallel calls. */
    @AttributeDefinition(
            description = "Value of parallel_tool_calls; default leaves it out.",
            options = {
                @Option(label = "Leave it out", value = "default"),
                @Option(label = "Allow", value = "true"),
                @Option(label = "Forbid", value = "false")
            })
    String parallelToolCalls() default "default";
}
