package palyra.channels.internal.route;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import palyra.api.Require;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.run.WhileRunning;

/**
 * A rule for messages of some connectors.
 *
 * @param name name of its configuration
 * @param priority of two rules that fit, the one with the higher priority counts, then the first
 *     name
 * @param connectors {@code KIND:ACCOUNT}, {@code KIND:*} or {@code *}
 * @param conversations ids of conversations that it is for; empty means all
 * @param enabled whether messages are answered at all
 * @param mentionPatterns texts that count as a mention; {@code *} makes every message one
 * @param allowFrom ids of senders that are answered; empty means all but those denied
 * @param denyFrom ids of senders that are not
 * @param directMessages what becomes of direct messages
 * @param broadcast what becomes of messages that address everyone
 * @param isolateSenders whether each sender of a group has a session and rights of their own
 * @param answerBots whether messages of programs are answered
 * @param agent agent that answers; empty for the one bound to the session, or the default
 * @param responsePrefix what answers begin with
 * @param quote whether answers in groups quote the message
 * @param whileRunning what becomes of a message while a run of its session goes on
 * @param concurrency most runs of a connector at a time; 0 for no limit
 * @param streamAnswers whether answers are shown while they are made
 * @param commands whether people may tell the gateway itself what to do, such as {@code /stop}
 * @param stateReactions whether reactions to a message show what became of it
 * @param typing whether a conversation shows that a run works for it
 * @param threads whether each answer in a group begins a thread
 */
public record RouteRule(
        String name,
        int priority,
        List<String> connectors,
        Set<String> conversations,
        boolean enabled,
        List<String> mentionPatterns,
        Set<String> allowFrom,
        Set<String> denyFrom,
        DirectMessages directMessages,
        Broadcast broadcast,
        boolean isolateSenders,
        boolean answerBots,
        String agent,
        String responsePrefix,
        boolean quote,
        WhileRunning whileRunning,
        int concurrency,
        boolean streamAnswers,
        boolean commands,
        boolean stateReactions,
        boolean typing,
        boolean threads) {
    private static final int MOST_PATTERNS = 64;
    private static final int LONGEST_PATTERN = 128;
    private static final int MOST_CONCURRENT = 1_000;

    /** What becomes of direct messages. */
    public enum DirectMessages {
        /** They are ignored. */
        DENY,
        /** They are answered once an operator approved the sender's code. */
        PAIRING,
        /** They are answered. */
        ALLOW
    }

    /** What becomes of messages that address everyone. */
    public enum Broadcast {
        /** They are ignored. */
        DENY,
        /** They are answered when they mention the account besides. */
        MENTION_ONLY,
        /** They count as a mention. */
        ALLOW
    }

    /** Checks and copies. */
    public RouteRule {
        Require.text(name, "name of a rule");
        connectors = List.copyOf(connectors);
        conversations = Set.copyOf(conversations);
        mentionPatterns =
                mentionPatterns.stream().map(text -> text.toLowerCase(Locale.ROOT)).toList();
        Require.that(
                mentionPatterns.size() <= MOST_PATTERNS,
                "a rule has at most "
                        + MOST_PATTERNS
                        + " mention patterns, not "
                        + mentionPatterns.size());
        for (String pattern : mentionPatterns) {
            Require.that(!pattern.isBlank(), "a mention pattern is blank; leave it out");
            Require.atMost(pattern, LONGEST_PATTERN, "mention pattern '" + pattern + "'");
        }
        allowFrom = Set.copyOf(allowFrom);
        denyFrom = Set.copyOf(denyFrom);
        Require.present(directMessages, "policy for direct messages");
        Require.present(broadcast, "policy for broadcasts");
        agent = Require.orEmpty(agent);
        responsePrefix = Require.atMost(Require.orEmpty(responsePrefix), 256, "response prefix");
        Require.present(whileRunning, "what becomes of further messages");
        Require.that(
                concurrency >= 0 && concurrency <= MOST_CONCURRENT,
                "concurrency is " + concurrency + ": give 0 to " + MOST_CONCURRENT);
        for (String connector : connectors) {
            if (!connector.equals("*") && !connector.endsWith(":*")) {
                ConnectorId.parse(connector);
            }
        }
    }

    /** Returns whether it is for some messages of a connector. */
    public boolean isFor(ConnectorId connector) {
        return isFor(connector.toString(), connector.kind() + ":*");
    }

    /** The same with the names that are compared, for many rules. */
    private boolean isFor(String id, String anyAccount) {
        return connectors.contains(id)
                || connectors.contains(anyAccount)
                || connectors.contains("*");
    }

    /** Returns which rules fit messages of a conversation. */
    static Predicate<RouteRule> fitting(ConnectorId connector, Conversation place) {
        String id = connector.toString();
        String anyAccount = connector.kind() + ":*";
        String conversation = place.id();
        return rule ->
                (rule.conversations.isEmpty() || rule.conversations.contains(conversation))
                        && rule.isFor(id, anyAccount);
    }
}
