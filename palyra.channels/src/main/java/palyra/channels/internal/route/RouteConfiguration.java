package palyra.channels.internal.route;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** A rule for messages of chat platforms: {@code conf/palyra.channels.route~NAME.json}. */
@ObjectClassDefinition(
        name = "Palyra route",
        description = "Which messages of a connector are answered, for whom, and by which agent.")
public @interface RouteConfiguration {
    /** The factory PID. */
    String PID = "palyra.channels.route";

    /** Connectors. */
    @AttributeDefinition(
            description =
                    "Connectors that the rule is for: KIND:ACCOUNT, KIND:* for every account, or * for"
                            + " all.")
    String[] connectors() default {};

    /** Conversations. */
    @AttributeDefinition(
            description = "Ids of conversations that the rule is for; empty means all of them.")
    String[] conversations() default {};

    /** Order. */
    @AttributeDefinition(
            min = "-1000",
            max = "1000",
            description = "Of several rules that fit, the one with the highest priority counts.")
    int priority() default 0;

    /** Switch. */
    @AttributeDefinition(description = "Whether messages are answered at all.")
    boolean enabled() default true;

    /** Patterns. */
    @AttributeDefinition(
            description =
                    "Texts that count as a mention of the agent in groups, besides the platform's own"
                            + " mention; * makes every message one. At most 64, of at most 128"
                            + " characters.")
    String[] mentionPatterns() default {};

    /** Allowed senders. */
    @AttributeDefinition(
            description =
                    "The platform's ids of senders that are answered; empty means all. Only senders"
                            + " that the platform vouches for can be listed.")
    String[] allowFrom() default {};

    /** Denied senders. */
    @AttributeDefinition(description = "The platform's ids of senders that are never answered.")
    String[] denyFrom() default {};

    /** Direct messages. */
    @AttributeDefinition(
            options = {
                @Option(label = "ignored", value = "deny"),
                @Option(label = "answered once an operator approved a code", value = "pairing"),
                @Option(label = "answered", value = "allow")
            },
            description =
                    "What becomes of direct messages: deny, pairing (the sender gets a code that an"
                            + " operator approves) or allow.")
    String directMessages() default "deny";

    /** Broadcasts. */
    @AttributeDefinition(
            options = {
                @Option(label = "ignored", value = "deny"),
                @Option(label = "answered with a mention besides", value = "mention_only"),
                @Option(label = "answered", value = "allow")
            },
            description =
                    "What becomes of messages to everyone (@everyone, @here, @all, @channel): deny,"
                            + " mention_only or allow.")
    String broadcast() default "deny";

    /** Isolation. */
    @AttributeDefinition(
            description =
                    "Whether each sender of a group has a session, and rights, of their own. Without"
                            + " it the group shares one session, whose runs act for the group.")
    boolean isolateSenders() default false;

    /** Bots. */
    @AttributeDefinition(
            description =
                    "Whether messages of other programs are answered. Two programs that answer each"
                            + " other do not stop by themselves.")
    boolean answerBots() default false;

    /** Further messages. */
    @AttributeDefinition(
            options = {
                @Option(label = "wait for a run of their own", value = "queue"),
                @Option(label = "are told to the run that goes on", value = "steer"),
                @Option(label = "cancel it", value = "cancel")
            },
            description =
                    "What becomes of a message to a session whose run goes on: queue (it is answered"
                            + " after it), steer (the run is told it before its next turn and answers"
                            + " both) or cancel (the run is cancelled, and the message answered).")
    String whileRunning() default "queue";

    /** Concurrency. */
    @AttributeDefinition(
            min = "0",
            max = "1000",
            description =
                    "Most runs of each of the connectors that work at a time; further messages wait"
                            + " in their order. 0 means no limit but the gateway's own. Of several"
                            + " rules for a connector the lowest limit counts.")
    int concurrency() default 0;

    /** Answers while they are made. */
    @AttributeDefinition(
            description =
                    "Whether an answer is shown while it is made: as a message that is changed as the"
                            + " text grows. It has an effect where the platform can change messages.")
    boolean streamAnswers() default false;

    /** Commands. */
    @AttributeDefinition(
            description =
                    "Whether a message that is /new, /stop, /status, /agent or /help tells the gateway"
                            + " what to do; otherwise the agent gets it as any other.")
    boolean commands() default true;

    /** States. */
    @AttributeDefinition(
            description =
                    "Whether reactions to a message show what became of it: seen, then answered,"
                            + " failed or cancelled. It has an effect where the platform has"
                            + " reactions.")
    boolean stateReactions() default false;

    /** Typing. */
    @AttributeDefinition(
            description =
                    "Whether a conversation shows that the account writes while a run works for it. It"
                            + " has an effect where the platform can show it.")
    boolean typing() default true;

    /** Threads. */
    @AttributeDefinition(
            description =
                    "Whether a message of a group that is in no thread is answered in a thread of its"
                            + " own, which is a session; there every message addresses the account."
                            + " It has an effect where a message can begin a thread.")
    boolean threads() default false;

    /** Agent. */
    @AttributeDefinition(
            description =
                    "Agent that answers; empty means the one bound to the session, or the default.")
    String agent() default "";

    /** Prefix. */
    @AttributeDefinition(description = "What each answer begins with; at most 256 characters.")
    String responsePrefix() default "";

    /** Quotes. */
    @AttributeDefinition(description = "Whether answers quote the message that they answer.")
    boolean quote() default true;
}
