package palyra.channels.internal.route;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorId;

/**
 * The rules in force, which come and go with their configurations. A message is decided about when
 * all rules that may be for it are there: one that is still being read, or was refused, may be the
 * one that denies it. Thread-safe.
 */
public final class RouteRules {
    private final Supplier<Map<String, List<String>>> configured;
    private final Supplier<Set<String>> refused;
    private final Map<String, RouteRule> present = new TreeMap<>(); // guarded by this
    private volatile Router router = new Router(List.of());

    /**
     * Creates it without rules.
     *
     * @param configured names of the rules that are configured, with the connectors that they say
     *     they are for; none when that is not known
     * @param refused names of the rules of which the newest content is refused: such a rule is not
     *     in force, also when an earlier content of it was, and may be for any connector
     */
    public RouteRules(
            Supplier<Map<String, List<String>>> configured, Supplier<Set<String>> refused) {
        this.configured = configured;
        this.refused = refused;
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

    /**
     * Returns the rules by which a message of a connector is decided.
     *
     * @throws PalyraException GATEWAY_UNAVAILABLE while a rule that may be for the connector is not
     *     there, and when none is for it: the message is to be handed in again
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
     * @throws PalyraException GATEWAY_UNAVAILABLE while a rule that may be for it is not there
     */
    public Optional<Router> find(ConnectorId connector) {
        Optional<String> awaited = awaited(connector);
        if (awaited.isPresent()) {
            throw refusal(notInForce(awaited.get()) + "; palyra doctor says why.");
        }
        Router now = router;
        return now.rules().stream().anyMatch(rule -> rule.isFor(connector))
                ? Optional.of(now)
                : Optional.empty();
    }

    private static PalyraException refusal(String reason) {
        return new PalyraException(ErrorCode.GATEWAY_UNAVAILABLE, reason + " Nothing was taken.");
    }

    /** Says of a rule, by its name, that it is not in force; without a full stop. */
    public static String notInForce(String rule) {
        return "The rule " + rule + " is configured and not in force";
    }

    /** Returns the names of rules that are configured and not in force, in order. */
    public List<String> awaited() {
        return awaited(any -> true);
    }

    /**
     * Returns the name of a rule that is not in force and may be for a connector: no message of
     * that connector is taken meanwhile. Empty when all its rules are in force.
     */
    public Optional<String> awaited(ConnectorId connector) {
        return awaited(names -> mayBeFor(names, connector)).stream().findFirst();
    }

    private List<String> awaited(Predicate<List<String>> ofConnectors) {
        Map<String, List<String>> named = new TreeMap<>(configured.get());
        Set<String> wrong = refused.get();
        wrong.forEach(name -> named.put(name, List.of()));
        synchronized (this) {
            return named.entrySet().stream()
                    .filter(rule -> ofConnectors.test(rule.getValue()))
                    .map(Map.Entry::getKey)
                    .filter(name -> wrong.contains(name) || !present.containsKey(name))
                    .toList();
        }
    }

    private static boolean mayBeFor(List<String> connectors, ConnectorId connector) {
        return connectors.isEmpty()
                || connectors.contains("*")
                || connectors.contains(connector.kind() + ":*")
                || connectors.contains(connector.toString());
    }
}
