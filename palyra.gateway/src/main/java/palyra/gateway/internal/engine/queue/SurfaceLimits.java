package palyra.gateway.internal.engine.queue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.Require;
import palyra.api.core.gateway.ConcurrencyLimits;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.outcome.Commits;

/** How many runs of each surface may work at a time. Thread-safe. */
public final class SurfaceLimits implements ConcurrencyLimits {
    private static final int NONE = Integer.MAX_VALUE;

    private static final String COLLECTION = "surface_limits";
    private static final String KEY = "all";

    private volatile Map<String, Integer> limits = Map.of();
    private volatile boolean told;
    private Map<String, Integer> stored = Map.of(); // by the thread that keeps them

    @Override
    public void limit(Map<String, Integer> mostRuns) {
        mostRuns.forEach(
                (surface, most) ->
                        Require.that(
                                most > 0,
                                "the most runs of "
                                        + surface
                                        + " are "
                                        + most
                                        + ": give 1 or more"));
        limits = Map.copyOf(mostRuns);
        told = true;
    }

    /** Takes what an earlier life was told, unless this one was told already. */
    public void read(Gate<Journal> journal) {
        Map<String, Integer> read = new TreeMap<>();
        journal.call(store -> store.document(COLLECTION, KEY))
                .map(document -> StrictJson.parse(document.content(), "limits of surfaces"))
                .ifPresent(
                        tree ->
                                tree.properties()
                                        .forEach(
                                                limit ->
                                                        read.put(
                                                                limit.getKey(),
                                                                limit.getValue().asInt())));
        stored = Map.copyOf(read);
        if (!told) {
            limits = stored;
        }
    }

    /** Keeps them for the next life, if they changed. */
    public void keep(Gate<Journal> journal) {
        Map<String, Integer> now = limits;
        if (now.equals(stored)) {
            return;
        }
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        now.forEach(tree::put);
        Commits.commit(
                journal, Unit.of(new Operation.PutDocument(COLLECTION, KEY, Jcs.bytes(tree))));
        stored = now;
    }

    /** Returns the most runs of a surface. */
    int mostRuns(String surface) {
        Map<String, Integer> now = limits;
        int colon = surface.indexOf(':');
        if (now.isEmpty() || colon < 0) {
            return now.getOrDefault(surface, NONE);
        }
        return Math.min(
                now.getOrDefault(surface, NONE),
                Math.min(
                        now.getOrDefault(surface.substring(0, colon) + ":*", NONE),
                        now.getOrDefault("*:*", NONE)));
    }
}
