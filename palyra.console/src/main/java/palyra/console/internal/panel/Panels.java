package palyra.console.internal.panel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.console.ConsolePanel;
import palyra.api.console.PanelSpec;
import palyra.shared.gate.Gate;

/** The panels that are there now, each behind a gate of its own. Thread-safe. */
public final class Panels {
    private static final Logger LOG = LoggerFactory.getLogger(Panels.class);
    private static final long WAIT_MILLIS = 1_000;

    /**
     * A panel.
     *
     * @param own whether it is the console's own, which ends with the console and takes leases of
     *     its own
     */
    private record Entry(
            PanelSpec spec,
            ConsolePanel panel,
            boolean own,
            int ranking,
            long id,
            Gate<ConsolePanel> gate) {}

    private static final Comparator<Entry> BEST_FIRST =
            Comparator.comparingInt(Entry::ranking).reversed().thenComparingLong(Entry::id);

    private final Map<ConsolePanel, Entry> entries = new ConcurrentHashMap<>();

    /** Adds a panel of the console itself; one of the same id from another bundle replaces it. */
    public void addOwn(ConsolePanel panel) {
        add(panel, Map.of("service.ranking", Integer.MIN_VALUE), true);
    }

    /** Adds a panel. One whose specification fails is left out and logged. */
    public void add(ConsolePanel panel, Map<String, ?> properties) {
        add(panel, properties, false);
    }

    private void add(ConsolePanel panel, Map<String, ?> properties, boolean own) {
        try {
            PanelSpec spec = panel.spec();
            Gate<ConsolePanel> gate =
                    new Gate<>(
                            "The panel " + spec.title(),
                            ErrorCode.GATEWAY_UNAVAILABLE,
                            WAIT_MILLIS);
            gate.add(panel, properties);
            int ranking = properties.get("service.ranking") instanceof Integer i ? i : 0;
            long id = properties.get("service.id") instanceof Long l ? l : 0;
            entries.put(panel, new Entry(spec, panel, own, ranking, id, gate));
        } catch (RuntimeException | LinkageError e) {
            LOG.warn("A panel ({}) cannot be shown", panel.getClass().getName(), e);
        }
    }

    /** Removes a panel and waits for the pages that it is making. */
    public void remove(ConsolePanel panel) {
        Entry entry = entries.remove(panel);
        if (entry != null) {
            entry.gate().remove(panel);
        }
    }

    /** Returns the specifications, one for each id, in the order of the navigation. */
    public List<PanelSpec> specs() {
        Map<String, PanelSpec> byId = new LinkedHashMap<>();
        entries.values().stream()
                .sorted(BEST_FIRST)
                .forEach(entry -> byId.putIfAbsent(entry.spec().id(), entry.spec()));
        List<PanelSpec> specs = new ArrayList<>(byId.values());
        specs.sort(
                Comparator.comparing(PanelSpec::section)
                        .thenComparingInt(PanelSpec::order)
                        .thenComparing(PanelSpec::title));
        return specs;
    }

    /** Returns the specification of a panel; empty when it is not there. */
    public Optional<PanelSpec> spec(String id) {
        return best(id).map(Entry::spec);
    }

    private Optional<Entry> best(String id) {
        return entries.values().stream()
                .filter(entry -> entry.spec().id().equals(id))
                .min(BEST_FIRST);
    }

    /**
     * Calls a panel.
     *
     * @throws PalyraException NOT_FOUND when it is not there
     */
    <R> R call(String id, Function<ConsolePanel, R> call) {
        Entry entry =
                best(id).orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.NOT_FOUND,
                                                "There is no panel '"
                                                        + id
                                                        + "'; its bundle may be stopped."));
        return entry.own() ? call.apply(entry.panel()) : entry.gate().call(call);
    }
}
