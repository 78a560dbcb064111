package palyra.gateway.internal.settings;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of PID {@code palyra.gateway}. Changes apply to runs from their next step. */
@ObjectClassDefinition(
        id = "palyra.gateway",
        name = "Palyra gateway",
        description = "The run engine: how many runs at once, budgets and waits.")
public @interface EngineConfiguration {
    /** See {@link EngineSettings#maxActiveRuns}. */
    @AttributeDefinition(
            name = "Active runs",
            description = "Runs worked on at the same time; others wait in the journal.",
            min = "1",
            max = "10000")
    int maxActiveRuns() default 256;

    /** See {@link EngineSettings#queueLimit}. */
    @AttributeDefinition(
            name = "Queue limit",
            description = "Messages and runs that may wait; more are refused.",
            min = "1",
            max = "10000000")
    int queueLimit() default 10_000;

    /** See {@link EngineSettings#maxCallsPerRun}. */
    @AttributeDefinition(
            name = "Tool calls of a run",
            description =
                    "Tool calls that one run may propose, denied ones too, unless its agent says"
                            + " otherwise.",
            min = "0",
            max = "10000")
    int maxCallsPerRun() default 100;

    /** See {@link EngineSettings#mostCallsPerRun}. */
    @AttributeDefinition(
            name = "Most tool calls of a run",
            description = "Most that an agent's own number of tool calls of a run counts for.",
            min = "0",
            max = "10000")
    int mostCallsPerRun() default 1_000;

    /** See {@link EngineSettings#maxTurns}. */
    @AttributeDefinition(
            name = "Turns of a run",
            description = "Model turns of one run.",
            min = "1",
            max = "1000")
    int maxTurns() default 120;

    /** See {@link EngineSettings#modelAttempts}. */
    @AttributeDefinition(
            name = "Model attempts",
            description = "Most attempts of a turn whose model fails with a temporary error.",
            min = "1",
            max = "20")
    int modelAttempts() default 3;

    /** See {@link EngineSettings#unavailableWaitMillis}. */
    @AttributeDefinition(
            name = "Wait for an absent part",
            description =
                    "How long a run waits for a model provider, tool executor or policy that is"
                            + " absent, in milliseconds.",
            min = "0",
            max = "600000")
    long unavailableWaitMillis() default 30_000;

    /** See {@link EngineSettings#turnTimeoutMillis}. */
    @AttributeDefinition(
            name = "Turn limit",
            description = "Longest model turn, in milliseconds.",
            min = "100",
            max = "3600000")
    long turnTimeoutMillis() default 600_000;

    /** See {@link EngineSettings#runTimeoutMillis}. */
    @AttributeDefinition(
            name = "Run limit",
            description =
                    "Longest time that one run is worked on after a start, in milliseconds; waiting"
                            + " for a person does not count.",
            min = "100",
            max = "86400000")
    long runTimeoutMillis() default 3_600_000;

    /** See {@link EngineSettings#contextRuns}. */
    @AttributeDefinition(
            name = "Context",
            description = "Earlier exchanges of the session that a request to the model contains.",
            min = "0",
            max = "200")
    int contextRuns() default 20;

    /** See {@link EngineSettings#leaseMillis}. */
    @AttributeDefinition(
            name = "Engine lease",
            description = "How long the engine lease lasts without renewal, in" + " milliseconds.",
            min = "1000",
            max = "600000")
    long leaseMillis() default 10_000;

    /** See {@link EngineSettings#tokenFlushMillis}. */
    @AttributeDefinition(
            name = "Token interval",
            description = "Streamed text goes to the tape at least this often, in milliseconds.",
            min = "1",
            max = "10000")
    long tokenFlushMillis() default 50;

    /** See {@link EngineSettings#tokenFlushChars}. */
    @AttributeDefinition(
            name = "Token chunk",
            description = "Streamed text goes to the tape when this many characters have gathered.",
            min = "1",
            max = "65536")
    int tokenFlushChars() default 768;

    /** See {@link EngineSettings#defaultProvider}. */
    @AttributeDefinition(
            name = "Default provider",
            description = "Model provider of agents that name none.",
            min = "1")
    String defaultProvider() default "deterministic";

    /** Shapes of secrets that are left alone. */
    @AttributeDefinition(
            name = "Shapes of secrets off",
            description =
                    "Names of shapes of secrets, such as jwt, that are left alone in answers and"
                            + " tools; palyra.front has the same setting for messages.",
            required = false)
    String[] secretShapesOff() default {};

    /** See {@link EngineSettings#quarantineAfterUncleanEnds}. */
    @AttributeDefinition(
            name = "Unclean ends before quarantine",
            description =
                    "A run that was RUNNING when the gateway crashed, this many"
                            + " times in a row and without getting anything done, is set aside as"
                            + " QUARANTINED.",
            min = "1",
            max = "1000")
    int quarantineAfterUncleanEnds() default EngineSettings.UNCLEAN_ENDS;

    /** See {@link EngineSettings.Asking#maxRetryAfterMillis}. */
    @AttributeDefinition(
            name = "Wait that a server may ask for",
            description =
                    "Longest that a run waits before it asks a model again because the server wants"
                            + " it to, in milliseconds.",
            min = "0",
            max = "600000")
    long maxRetryAfterMillis() default 30_000;

    /** See {@link EngineSettings.Asking#reserveOutputTokens}. */
    @AttributeDefinition(
            name = "Answer that budgets set aside",
            description =
                    "Tokens of an answer that budgets set aside when the model profile names no"
                            + " bound.",
            min = "1",
            max = "10000000")
    int reserveOutputTokens() default 4_096;

    /** See {@link EngineSettings.Asking#bytesPerToken}. */
    @AttributeDefinition(
            name = "Bytes of a token",
            description =
                    "How many bytes of text count as one token in estimates; fewer are more"
                            + " careful.",
            min = "1",
            max = "16")
    int bytesPerToken() default 3;

    /** See {@link EngineSettings.Asking#currency}. */
    @AttributeDefinition(
            name = "Currency",
            description = "Currency of all prices and budgets: letters and digits, such as USD.",
            min = "1",
            max = "12")
    String currency() default "USD";

    /** See {@link EngineSettings.Asking#describesEnvironment}. */
    @AttributeDefinition(
            name = "Environment in the instructions",
            description =
                    "Whether the instructions of an agent with tools for commands or files end with"
                            + " a description of where these work: system, programs, limits,"
                            + " network, folders.")
    boolean environmentPrompt() default true;

    /** See {@link MemorySettings#runMemoryBytes}. */
    @AttributeDefinition(
            name = "Memory of all runs",
            description =
                    "Bytes that all runs together may hold while they work; above it models are"
                            + " read no further. 0 means a quarter of the largest heap.",
            min = "262144",
            max = "1099511627776")
    long runMemoryBytes() default 0;

    /** See {@link MemorySettings#runShareBytes}. */
    @AttributeDefinition(
            name = "Memory of one run",
            description =
                    "Bytes that one run may hold; a run that needs more fails. 0 means a quarter of"
                            + " runMemoryBytes; more than half of it counts as half.",
            min = "262144",
            max = "1099511627776")
    long runShareBytes() default 0;

    /** See {@link MemorySettings#maxAnswerBytes}. */
    @AttributeDefinition(
            name = "Longest answer",
            description =
                    "Bytes in UTF-8 that answer and thoughts of one turn may have together; a"
                            + " longer one fails the turn.",
            min = "1024",
            max = "268435456")
    long maxAnswerBytes() default 2_097_152;

    /** See {@link MemorySettings#maxTurnBytes}. */
    @AttributeDefinition(
            name = "Largest turn",
            description =
                    "Bytes in UTF-8 that one turn may stream: answer, thoughts and inputs of tool"
                            + " calls; more fails the turn.",
            min = "1024",
            max = "268435456")
    long maxTurnBytes() default 4_194_304;
}
