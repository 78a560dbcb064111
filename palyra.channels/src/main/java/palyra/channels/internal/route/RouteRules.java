package palyra.channels.internal.route;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorId;

/**
 * The rules in force, which come and go with their configurations. A message is decided about when
 * all of them are there: one that was ignored because a rule was still being read would be lost.
 * Thread-safe.
 */
public final class RouteRules {
    /** How long messages wait for a rule that is configured and does not come, in milliseconds. */
    static final long PATIENCE_MILLIS = 30_000;

    private final Supplier<Set<String>> configured;
    private final InstantSource clock;
    private final Map<String, RouteRule> present = new TreeMap<>(); // guarded by this
    private final Map<String, Long> missingSince = new HashMap<>(); // guarded by this
    private volatile Router router = new Router(List.of());

    /**
     * Creates it without rules.
     *
     * @param configured names of the rules that are configured, those that are refused included
     */
    public RouteRules(Supplier<Set<String>> configured, InstantSource clock) {
        this.configured = configured;
        this.clock = clock;
    }

    /** A rule is in force. */
    public synchronized void add(RouteRule rule) {
        present.put(rule.name(), rule);
        router = new Router(List.copyOf(present.values()));
    }

    /** It is not any more. */
    public synchronized void remove(RouteRule rule) {
        present.remove(rule.name(), rule);
        router = new Router(List.copyOf(present.values()));
    }

    /** Returns the rules that are there. */
    public Router router() {
        return router;
    }

    /** Returns the most runs of a connector at a time, as the strictest of its rules says. */
    public int mostRuns(String surface) {
        return router.mostRuns(surface);
    }

    /**
     * Returns the rules by which a message of a connector is decided.
     *
     * @throws PalyraException GATEWAY_UNAVAILABLE while a rule is being read, and when none is for
     *     the connector: the message is to be handed in again
     */
    public Router require(ConnectorId connector) {
        return find(connector)
                .orElseThrow(
                        () ->
                                refusal(
                                        "No rule is for "
                                                + connector
                                                + ": add conf/"
                                                + RouteConfiguration.PID
                                                + "~NAME.json; see docs/channels.md."));
    }

    /**
     * Returns the same; empty when no rule is for the connector.
     *
     * @throws PalyraException GATEWAY_UNAVAILABLE while a rule is being read
     */
    public Optional<Router> find(ConnectorId connector) {
        Optional<String> awaited = awaited(configured.get());
        if (awaited.isPresent()) {
            throw refusal("The rule " + awaited.get() + " is being read.");
        }
        Router now = router;
        return now.rules().stream().anyMatch(rule -> rule.isFor(connector))
                ? Optional.of(now)
                : Optional.empty();
    }

    private static PalyraException refusal(String reason) {
        return new PalyraException(ErrorCode.GATEWAY_UNAVAILABLE, reason + " Nothing was taken.");
    }

    /** Returns the name of a rule that is configured and not in force; empty when all are. */
    public Optional<String> awaited() {
        Set<String> names = configured.get();
        synchronized (this) {
            return names.stream().filter(name -> !present.containsKey(name)).findFirst();
        }
    }

    /** A rule that was refused does not come; doctor tells of it, and the others go on. */
    private synchronized Optional<String> awaited(Set<String> names) {
        long now = clock.millis();
        missingSince.keySet().removeIf(name -> !names.contains(name) || present.containsKey(name));
        return names.stream()
                .filter(name -> !present.containsKey(name))
                .filter(
                        name ->
                                now - missingSince.computeIfAbsent(name, unused -> now)
                                        < PATIENCE_MILLIS)
                .findFirst();
    }
}
