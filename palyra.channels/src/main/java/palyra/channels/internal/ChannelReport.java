package palyra.channels.internal;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorStatus;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Metric;
import palyra.channels.internal.dispatch.DeadLetters;
import palyra.channels.internal.inbound.Pairings;
import palyra.channels.internal.route.RouteConfiguration;
import palyra.channels.internal.route.RouteRules;
import palyra.shared.gate.Gate;

/** What doctor and metrics say of connectors. Thread-safe. */
final class ChannelReport {
    private static final long OLD_MILLIS = Duration.ofMinutes(10).toMillis();
    private static final long RETRIED_MILLIS = Duration.ofSeconds(30).toMillis();
    private static final long CONNECTING_MILLIS = Duration.ofMinutes(1).toMillis();
    private static final int MOST_COUNTED = 100;
    private static final String AREA = "channels";
    private static final String READY_HELP = "Whether the connector is ready: 1 or 0.";

    private final Channels channels;
    private final DeadLetters deadLetters;
    private final RouteRules rules;
    private final Pairings pairings;
    private final Gate<AgentRegistry> agents;
    private final InstantSource clock;

    ChannelReport(
            Channels channels,
            DeadLetters deadLetters,
            RouteRules rules,
            Pairings pairings,
            Gate<AgentRegistry> agents,
            InstantSource clock) {
        this.channels = channels;
        this.deadLetters = deadLetters;
        this.rules = rules;
        this.pairings = pairings;
        this.agents = agents;
        this.clock = clock;
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        channels.all().forEach(channel -> findings.addAll(findings(channel)));
        findings.addAll(gone());
        rules.router().rules().stream()
                .filter(rule -> !rule.agent().isEmpty() && isUnknown(rule.agent()))
                .forEach(
                        rule ->
                                findings.add(
                                        new Finding(
                                                Finding.Severity.WARNING,
                                                AREA,
                                                "The rule "
                                                        + rule.name()
                                                        + " names the agent "
                                                        + rule.agent()
                                                        + ", which does not exist: messages are"
                                                        + " not answered by it.",
                                                "Create it with palyra agents create, or correct"
                                                        + " conf/"
                                                        + RouteConfiguration.PID
                                                        + "~"
                                                        + rule.name()
                                                        + ".json.")));
        return findings;
    }

    private boolean isUnknown(String agent) {
        try {
            return agents.call(known -> known.agent(agent)).isEmpty();
        } catch (PalyraException e) {
            return false; // the gateway is away, or the agent damaged, which others tell of
        }
    }

    /** Returns what an operator should know of connectors that are not there. */
    List<Finding> gone() {
        List<Finding> findings = new ArrayList<>();
        Map<String, Integer> left = left();
        left.forEach((name, count) -> findings.add(left(name, count)));
        goneDead().forEach((name, count) -> findings.add(dead(name, count)));
        return findings;
    }

    /** Returns how many messages to connectors that are not there were given up, by their names. */
    private Map<String, Integer> goneDead() {
        Map<String, Integer> counts = new TreeMap<>();
        try {
            deadLetters
                    .goneGivenUp(MOST_COUNTED)
                    .forEach(row -> counts.merge(row.surface(), 1, Integer::sum));
        } catch (PalyraException e) {
            return Map.of(); // the journal is away, which others tell of
        }
        return counts;
    }

    private static Finding dead(String name, int count) {
        return new Finding(
                Finding.Severity.WARNING,
                AREA,
                (count >= MOST_COUNTED ? "At least " : "")
                        + count
                        + " messages of "
                        + name
                        + " are dead letters: they were not sent, or it is not known whether they"
                        + " were.",
                "See channels dead " + name + "; replay or discard them.");
    }

    /** Returns how many messages wait for connectors that are not there, by their names. */
    Map<String, Integer> left() {
        Map<String, Integer> counts = new TreeMap<>();
        try {
            deadLetters
                    .left("", MOST_COUNTED)
                    .forEach(row -> counts.merge(row.surface(), 1, Integer::sum));
        } catch (PalyraException e) {
            return Map.of(); // the journal is away, which others tell of
        }
        return counts;
    }

    private static Finding left(String name, int count) {
        return new Finding(
                Finding.Severity.WARNING,
                AREA,
                (count == MOST_COUNTED ? "At least " : "")
                        + count
                        + " messages wait for "
                        + name
                        + ", and no connector is called so.",
                "Configure it again, or see channels dead " + name + " and discard them.");
    }

    /**
     * Returns why a connector does not do all that it should, in one line: its own reason, a rule
     * that is not in force, or what keeps a message from being sent; empty when it does.
     */
    String trouble(Channel channel) {
        String own = channel.connector().status().reason();
        return Stream.of(
                        own.isEmpty() ? Optional.<String>empty() : Optional.of(own),
                        awaited(channel),
                        retried(channel))
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" "));
    }

    private Optional<String> awaited(Channel channel) {
        try {
            return rules.awaited(channel.id())
                    .map(
                            rule ->
                                    RouteRules.notInForce(rule)
                                            + ", so nothing is taken of "
                                            + channel.id()
                                            + ".");
        } catch (PalyraException e) {
            return Optional.empty(); // the configuration is away, which others tell of
        }
    }

    /** Says what keeps the oldest message that waits, once it was tried for a while. */
    private Optional<String> retried(Channel channel) {
        String reason = channel.dispatcher().waitingReason();
        long oldest = channel.dispatcher().oldestMillis();
        long waited = clock.millis() - oldest;
        return reason.isEmpty() || oldest == 0 || waited < RETRIED_MILLIS
                ? Optional.empty()
                : Optional.of(
                        "A message of "
                                + channel.id()
                                + " waits for "
                                + shown(Duration.ofMillis(waited))
                                + " to be sent: "
                                + reason);
    }

    private static String shown(Duration waited) {
        return waited.toMinutes() < 2
                ? waited.toSeconds() + " seconds"
                : waited.toMinutes() + " minutes";
    }

    private boolean isFull(Channel channel) {
        try {
            return pairings.isFull(channel.id());
        } catch (PalyraException e) {
            return false; // the journal is away, which others tell of
        }
    }

    /** Returns what an operator should know of one connector. */
    List<Finding> findings(Channel channel) {
        List<Finding> findings = new ArrayList<>();
        ConnectorStatus status = channel.connector().status();
        boolean works =
                status.state() == ConnectorStatus.State.READY
                        || status.state() == ConnectorStatus.State.CONNECTING
                                && clock.millis() - status.sinceMillis() < CONNECTING_MILLIS;
        if (!works) {
            findings.add(
                    new Finding(
                            status.state() == ConnectorStatus.State.FAILED
                                    ? Finding.Severity.ERROR
                                    : Finding.Severity.WARNING,
                            AREA,
                            "Connector "
                                    + channel.id()
                                    + " is "
                                    + status.state()
                                    + ": "
                                    + status.reason(),
                            "See channels status " + channel.id() + "."));
        }
        if (channel.state().flow() != ChannelState.Flow.RUNNING) {
            findings.add(
                    new Finding(
                            Finding.Severity.INFO,
                            AREA,
                            "Connector "
                                    + channel.id()
                                    + " is "
                                    + channel.state().flow()
                                    + " by "
                                    + channel.state().by()
                                    + ".",
                            "channels resume " + channel.id()));
        }
        long oldest = channel.dispatcher().oldestMillis();
        Optional<String> retried = retried(channel);
        if (retried.isPresent()) {
            findings.add(
                    new Finding(
                            Finding.Severity.WARNING,
                            AREA,
                            retried.get(),
                            "See channels outbox " + channel.id() + "."));
        } else if (oldest > 0 && clock.millis() - oldest > OLD_MILLIS) {
            findings.add(
                    new Finding(
                            Finding.Severity.WARNING,
                            AREA,
                            "A message of "
                                    + channel.id()
                                    + " waits for "
                                    + Duration.ofMillis(clock.millis() - oldest).toMinutes()
                                    + " minutes to be sent.",
                            "See channels outbox " + channel.id() + "."));
        }
        awaited(channel)
                .ifPresent(
                        rule ->
                                findings.add(
                                        new Finding(
                                                Finding.Severity.ERROR,
                                                AREA,
                                                rule,
                                                "Correct its file, or remove it; palyra doctor and"
                                                        + " palyra config list say what is"
                                                        + " wrong.")));
        if (isFull(channel)) {
            findings.add(
                    new Finding(
                            Finding.Severity.WARNING,
                            AREA,
                            Pairings.MOST_CODES
                                    + " senders of "
                                    + channel.id()
                                    + " have codes that nothing was decided about, which is the"
                                    + " most: further senders get none.",
                            "See pairing list " + channel.id() + "; approve or deny them."));
        }
        if (rules.router().rules().stream().noneMatch(rule -> rule.isFor(channel.id()))) {
            findings.add(
                    new Finding(
                            Finding.Severity.WARNING,
                            AREA,
                            "No rule is for connector "
                                    + channel.id()
                                    + ", so its messages are not taken.",
                            "Add conf/"
                                    + RouteConfiguration.PID
                                    + "~NAME.json; see docs/channels.md."));
        }
        int dead = deadLetters(channel);
        if (dead > 0) {
            findings.add(dead(channel.id().toString(), dead));
        }
        return findings;
    }

    private int deadLetters(Channel channel) {
        try {
            return deadLetters.list(channel.id().toString(), MOST_COUNTED).size();
        } catch (PalyraException e) {
            return 0; // the journal is away, which others tell of
        }
    }

    List<Metric> metrics() {
        List<Metric> metrics = new ArrayList<>();
        for (Channel channel : channels.all()) {
            String name = channel.id().toString();
            channel.taken()
                    .forEach(
                            (outcome, count) ->
                                    metrics.add(
                                            new Metric(
                                                    "palyra_channel_messages_in_total",
                                                    "Messages that connectors brought, by outcome.",
                                                    Metric.Type.COUNTER,
                                                    Map.of("connector", name, "outcome", outcome),
                                                    count.get())));
            channel.dispatcher()
                    .counts()
                    .forEach(
                            (outcome, count) ->
                                    metrics.add(
                                            new Metric(
                                                    "palyra_channel_messages_out_total",
                                                    "Messages handed to connectors, by outcome.",
                                                    Metric.Type.COUNTER,
                                                    Map.of("connector", name, "outcome", outcome),
                                                    count)));
            channel.dispatcher()
                    .typingCounts()
                    .forEach(
                            (outcome, count) ->
                                    metrics.add(
                                            new Metric(
                                                    "palyra_channel_typing_total",
                                                    "How often a conversation was to show that a"
                                                            + " run works for it, by outcome.",
                                                    Metric.Type.COUNTER,
                                                    Map.of("connector", name, "outcome", outcome),
                                                    count)));
            long oldest = channel.dispatcher().oldestMillis();
            metrics.add(
                    gauge(
                            "palyra_channel_oldest_message_seconds",
                            "Age of the oldest message that waits to be sent.",
                            name,
                            oldest == 0 ? 0 : (clock.millis() - oldest) / 1_000.0));
            metrics.add(
                    gauge(
                            "palyra_channel_ready",
                            READY_HELP,
                            name,
                            channel.connector().status().state() == ConnectorStatus.State.READY
                                    ? 1
                                    : 0));
        }
        left().keySet()
                .forEach(name -> metrics.add(gauge("palyra_channel_ready", READY_HELP, name, 0)));
        return metrics;
    }

    private static Metric gauge(String metric, String help, String connector, double value) {
        return new Metric(metric, help, Metric.Type.GAUGE, Map.of("connector", connector), value);
    }
}
