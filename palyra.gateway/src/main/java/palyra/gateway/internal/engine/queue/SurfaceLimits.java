package palyra.gateway.internal.engine.queue;

import java.util.Map;
import palyra.api.Require;
import palyra.api.core.gateway.ConcurrencyLimits;

/** How many runs of each surface may work at a time. Thread-safe. */
public final class SurfaceLimits implements ConcurrencyLimits {
    private static final int NONE = Integer.MAX_VALUE;

    private volatile Map<String, Integer> limits = Map.of();

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
