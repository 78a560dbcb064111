package palyra.tools.internal.executor;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.Require;
import palyra.api.core.ops.Finding;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.json.StrictJson;

/**
 * The tools that are there now: the seam to {@link Tool} services. For one name the highest {@code
 * service.ranking} wins, then the lowest {@code service.id}. A tool whose description is no good is
 * left out and shows as a finding. Thread-safe.
 *
 * <p>This is no {@code Gate}: tool calls are long, so tools are not leased; the {@link
 * CallRegistry} finds the calls of a tool that is withdrawn.
 */
final class ToolRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(ToolRegistry.class);

    private static final Comparator<Offer> BEST_FIRST =
            Comparator.comparingInt(Offer::ranking).reversed().thenComparingLong(Offer::serviceId);

    /** A tool with its description, which is read again when its service properties change. */
    record Offer(
            Tool tool, ToolDescriptor descriptor, InputCheck input, int ranking, long serviceId) {
        Offer(Tool tool, ToolDescriptor descriptor, int ranking, long serviceId) {
            this(tool, descriptor, new InputCheck(descriptor), ranking, serviceId);
        }

        boolean isNamed(ToolDescriptor other) {
            return other.name().equals(descriptor.name());
        }

        Offer changed(ToolDescriptor now, Map<String, ?> properties) {
            int ranking = rankingIn(properties);
            return now.equals(descriptor)
                    ? new Offer(tool, descriptor, input, ranking, serviceId)
                    : new Offer(tool, now, ranking, serviceId);
        }
    }

    private record LeftOut(Tool tool, String reason) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, List<Offer>> offers = new TreeMap<>(); // guarded by lock; best first
    private final List<LeftOut> leftOut = new ArrayList<>(); // guarded by lock

    /** Takes a tool in; {@code properties} are those of its service. */
    void add(Tool tool, Map<String, ?> properties) {
        try {
            ToolDescriptor descriptor = described(tool);
            put(new Offer(tool, descriptor, rankingIn(properties), serviceId(properties)));
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("Tool {} is left out", tool.getClass().getName(), e);
            leaveOut(tool, e);
        }
    }

    private static ToolDescriptor described(Tool tool) {
        ToolDescriptor descriptor = Require.present(tool.descriptor(), "the tool's descriptor");
        String what = "the input schema of tool " + descriptor.name();
        JsonNode schema = StrictJson.parse(descriptor.inputSchemaJson(), what);
        Require.that(
                schema.isObject() && schema.path("type").asText().equals("object"),
                what + " does not describe an object; give it \"type\":\"object\"");
        return descriptor;
    }

    private static int rankingIn(Map<String, ?> properties) {
        return properties.get("service.ranking") instanceof Integer ranking ? ranking : 0;
    }

    private static long serviceId(Map<String, ?> properties) {
        return properties.get("service.id") instanceof Long id ? id : 0;
    }

    private void put(Offer offer) {
        lock.lock();
        try {
            List<Offer> same =
                    offers.computeIfAbsent(offer.descriptor().name(), name -> new ArrayList<>());
            same.add(offer);
            same.sort(BEST_FIRST);
        } finally {
            lock.unlock();
        }
    }

    private void leaveOut(Tool tool, Throwable why) {
        lock.lock();
        try {
            leftOut.add(new LeftOut(tool, String.valueOf(why.getMessage())));
        } finally {
            lock.unlock();
        }
    }

    /** Takes a tool out. */
    void remove(Tool tool) {
        lock.lock();
        try {
            offers.values().forEach(same -> same.removeIf(offer -> offer.tool() == tool));
            offers.values().removeIf(List::isEmpty);
            leftOut.removeIf(one -> one.tool() == tool);
        } finally {
            lock.unlock();
        }
    }

    /** Takes changed service properties of a tool, and its description under the same name. */
    void update(Tool tool, Map<String, ?> properties) {
        Optional<ToolDescriptor> now = describedAgain(tool);
        lock.lock();
        try {
            for (List<Offer> same : offers.values()) {
                same.replaceAll(
                        offer ->
                                offer.tool() == tool
                                        ? offer.changed(
                                                now.filter(offer::isNamed)
                                                        .orElse(offer.descriptor()),
                                                properties)
                                        : offer);
                same.sort(BEST_FIRST);
            }
        } finally {
            lock.unlock();
        }
    }

    private static Optional<ToolDescriptor> describedAgain(Tool tool) {
        try {
            return Optional.of(described(tool));
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("Tool {} keeps its description", tool.getClass().getName(), e);
            return Optional.empty();
        }
    }

    /** Returns the tool that has a name now. */
    Optional<Offer> find(String name) {
        lock.lock();
        try {
            List<Offer> same = offers.get(name);
            return same == null ? Optional.empty() : Optional.of(same.get(0));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the offered tools, sorted by name. */
    List<ToolDescriptor> catalogue() {
        lock.lock();
        try {
            return offers.values().stream().map(same -> same.get(0).descriptor()).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Returns what an operator should know about the tools. */
    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        for (Offer offer : all()) {
            offer.input()
                    .unusableSchema()
                    .ifPresent(problem -> findings.add(unusable(offer, problem)));
        }
        lock.lock();
        try {
            for (LeftOut one : leftOut) {
                findings.add(leftOutFinding(one));
            }
            offers.forEach(
                    (name, same) -> {
                        if (same.size() > 1) {
                            findings.add(shadowed(name, same));
                        }
                    });
        } finally {
            lock.unlock();
        }
        return findings;
    }

    private List<Offer> all() {
        lock.lock();
        try {
            return offers.values().stream().flatMap(List::stream).toList();
        } finally {
            lock.unlock();
        }
    }

    private static Finding unusable(Offer offer, String problem) {
        return new Finding(
                Finding.Severity.ERROR,
                "tools",
                problem + " Every call of " + offer.descriptor().name() + " is refused.",
                "Correct the schema in its descriptor() and update its bundle.");
    }

    private static Finding leftOutFinding(LeftOut one) {
        return new Finding(
                Finding.Severity.ERROR,
                "tools",
                "The tool " + one.tool().getClass().getName() + " is left out: " + one.reason(),
                "Correct the result of its descriptor() and update its bundle.");
    }

    private static Finding shadowed(String name, List<Offer> same) {
        return new Finding(
                Finding.Severity.WARNING,
                "tools",
                same.size()
                        + " services are named "
                        + name
                        + "; "
                        + same.get(0).tool().getClass().getName()
                        + " is used.",
                "Remove the others, or give the wanted one the highest service.ranking.");
    }
}
