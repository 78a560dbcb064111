package palyra.channels.internal.route;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.Conversation;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.Sender;

/**
 * Decides about messages by the rules in force. What no rule names is ignored. Immutable.
 *
 * <p>The order of the checks: rule, enabled, bot, denied sender, allowed senders, broadcast, then
 * for direct messages their policy, for others mention.
 */
public final class Router {
    private final List<RouteRule> rules;
    private final boolean streams;
    private final boolean showsStates;
    private final boolean types;

    /** Creates a router of rules in any order. */
    public Router(List<RouteRule> rules) {
        this.rules =
                rules.stream()
                        .sorted(
                                Comparator.comparingInt(RouteRule::priority)
                                        .reversed()
                                        .thenComparing(RouteRule::name))
                        .toList();
        streams = rules.stream().anyMatch(RouteRule::streamAnswers);
        showsStates = rules.stream().anyMatch(RouteRule::stateReactions);
        types = rules.stream().anyMatch(RouteRule::typing);
    }

    /** Returns the rules in the order in which they are asked. */
    public List<RouteRule> rules() {
        return rules;
    }

    /** Returns the rule for a message. */
    public Optional<RouteRule> rule(ConnectorId connector, InboundMessage message) {
        return rule(connector, message.conversation());
    }

    private Optional<RouteRule> rule(ConnectorId connector, Conversation place) {
        return rules.stream().filter(RouteRule.fitting(connector, place)).findFirst();
    }

    /** Returns whether any rule shows something of runs that work. */
    public boolean showsRuns() {
        return streams || types;
    }

    /** Returns whether any rule shows by reactions what became of messages. */
    public boolean showsStates() {
        return showsStates;
    }

    /** Returns whether answers in a conversation are shown while they are made. */
    public boolean streams(ConnectorId connector, Conversation place) {
        return rule(connector, place).filter(RouteRule::streamAnswers).isPresent();
    }

    /** Returns whether a conversation shows that a run works for it. */
    public boolean types(ConnectorId connector, Conversation place) {
        return rule(connector, place).filter(RouteRule::typing).isPresent();
    }

    /**
     * Returns the most runs at a time of each connector that a rule with a limit names, {@code
     * KIND:*} or {@code *:*}: the lowest of those rules.
     */
    public Map<String, Integer> limits() {
        Map<String, Integer> limits = new TreeMap<>();
        for (RouteRule rule : rules) {
            if (rule.concurrency() > 0) {
                for (String connector : rule.connectors()) {
                    limits.merge(
                            connector.equals("*") ? "*:*" : connector,
                            rule.concurrency(),
                            Math::min);
                }
            }
        }
        return limits;
    }

    /**
     * Decides about a message.
     *
     * @param paired whether a sender is paired
     */
    public RouteDecision decide(
            ConnectorId connector, InboundMessage message, Predicate<Sender> paired) {
        return decide(connector, message, false, paired);
    }

    /**
     * The same for a message of which more is known than its text says.
     *
     * @param broadcast whether it addresses everyone, whatever its text says
     */
    public RouteDecision decide(
            ConnectorId connector,
            InboundMessage message,
            boolean broadcast,
            Predicate<Sender> paired) {
        Optional<RouteRule> found = rule(connector, message);
        if (found.isEmpty()) {
            return ignored(
                    "channel_disabled",
                    "No rule is for "
                            + connector
                            + ": add one in conf/palyra.channels.route~NAME.json.");
        }
        RouteRule rule = found.get();
        boolean direct = message.conversation().direct();
        boolean toEveryone = broadcast || isToEveryone(message);
        return refusal(rule, message)
                .or(() -> toEveryone ? broadcast(rule, message) : Optional.empty())
                .or(
                        () -> {
                            if (direct) {
                                return direct(rule, message.sender(), paired);
                            }
                            return toEveryone ? Optional.empty() : group(rule, message);
                        })
                .orElseGet(() -> routed(connector, rule, message));
    }

    /** The platform knows better than a text, which anyone may write. */
    private static boolean isToEveryone(InboundMessage message) {
        return switch (message.broadcast()) {
            case YES -> true;
            case NO -> false;
            default -> !message.conversation().direct() && Mentions.everyone(message.text());
        };
    }

    private static Optional<RouteDecision> refusal(RouteRule rule, InboundMessage message) {
        Sender sender = message.sender();
        if (!rule.enabled()) {
            return no("channel_disabled", "The rule " + rule.name() + " is switched off.");
        }
        if (sender.bot() && !rule.answerBots()) {
            return no("sender_is_bot", "Programs are not answered: set answerBots to change it.");
        }
        if (rule.denyFrom().contains(sender.id())) {
            return no(
                    "sender_denied",
                    "The rule " + rule.name() + " denies sender " + sender.id() + ".");
        }
        if (rule.allowFrom().isEmpty()) {
            return Optional.empty();
        }
        if (!sender.verified()) {
            return no(
                    "sender_unverified_for_allowlist",
                    "The platform does not vouch for the sender, and only listed ones are answered.");
        }
        return rule.allowFrom().contains(sender.id())
                ? Optional.empty()
                : no(
                        "sender_not_allowlisted",
                        "Sender "
                                + sender.id()
                                + " is not in allowFrom of the rule "
                                + rule.name()
                                + ".");
    }

    private static Optional<RouteDecision> direct(
            RouteRule rule, Sender sender, Predicate<Sender> paired) {
        return switch (rule.directMessages()) {
            case ALLOW -> Optional.empty();
            case DENY ->
                    no(
                            "direct_message_denied_by_policy",
                            "The rule " + rule.name() + " does not answer direct messages.");
            case PAIRING -> {
                if (!sender.verified()) {
                    yield no(
                            "sender_unverified_for_dm_pairing",
                            "The platform does not vouch for the sender, who so cannot be paired.");
                }
                yield paired.test(sender)
                        ? Optional.empty()
                        : Optional.of(new RouteDecision.NeedsPairing(rule));
            }
        };
    }

    private static Optional<RouteDecision> broadcast(RouteRule rule, InboundMessage message) {
        return switch (rule.broadcast()) {
            case DENY ->
                    no(
                            "broadcast_denied_by_policy",
                            "The rule " + rule.name() + " does not answer messages to everyone.");
            case MENTION_ONLY ->
                    mentioned(rule, message)
                            ? Optional.empty()
                            : no(
                                    "broadcast_requires_mention_match",
                                    "The message addresses everyone, and the agent not besides.");
            case ALLOW -> Optional.empty();
        };
    }

    private static boolean mentioned(RouteRule rule, InboundMessage message) {
        return message.mentionsAccount()
                || Mentions.mentioned(message.text(), rule.mentionPatterns());
    }

    private static Optional<RouteDecision> group(RouteRule rule, InboundMessage message) {
        return mentioned(rule, message)
                ? Optional.empty()
                : no(
                        "no_matching_mention_or_dm_policy",
                        "The message mentions neither the account nor a pattern of the rule "
                                + rule.name()
                                + ".");
    }

    private static RouteDecision routed(
            ConnectorId connector, RouteRule rule, InboundMessage message) {
        Place place = place(connector, message, rule.isolateSenders());
        return new RouteDecision.Routed(rule, place.principal(), place.sessionKey());
    }

    /**
     * Where the runs of a message work.
     *
     * @param principal on whose behalf
     * @param sessionKey key of their session within the principal
     */
    public record Place(String principal, String sessionKey) {}

    /** Returns where a message is answered by a rule that isolates senders of groups or not. */
    public static Place place(ConnectorId connector, InboundMessage message, boolean isolated) {
        Conversation conversation = message.conversation();
        StringBuilder key =
                new StringBuilder("channel:")
                        .append(connector)
                        .append(":conversation:")
                        .append(part(conversation.id()));
        if (!conversation.thread().isEmpty()) {
            key.append(":thread:").append(part(conversation.thread()));
        }
        if (isolated && !conversation.direct()) {
            key.append(":sender:").append(message.sender().id());
        }
        return new Place(
                isolated || conversation.direct()
                        ? SenderNames.sender(connector, message.sender())
                        : SenderNames.conversation(connector, conversation),
                key.toString());
    }

    /** A part of a session's key, so that no two places have the same. */
    private static String part(String id) {
        return id.replace("%", "%25").replace(":", "%3A");
    }

    private static Optional<RouteDecision> no(String reason, String explanation) {
        return Optional.of(ignored(reason, explanation));
    }

    private static RouteDecision ignored(String reason, String explanation) {
        return new RouteDecision.Ignored(reason, explanation);
    }
}
