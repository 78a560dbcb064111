package palyra.gateway.internal.seam;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.gateway.ConcurrencyLimits;
import palyra.shared.gate.Gate;

/**
 * How many runs of each surface may work at a time. What a surface was allowed last counts while
 * the service that says it is away or fails. Thread-safe.
 */
public final class SurfaceLimits {
    private static final Logger LOG = LoggerFactory.getLogger(SurfaceLimits.class);

    private final Gate<ConcurrencyLimits> source =
            new Gate<>("the limits of surfaces", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Map<String, Integer> known = new ConcurrentHashMap<>(); // limited ones only

    /** Takes a service. */
    public void add(ConcurrencyLimits service, Map<String, ?> properties) {
        source.add(service, properties);
    }

    /** It left. */
    public void remove(ConcurrencyLimits service) {
        source.remove(service);
    }

    /** Returns the most runs of a surface; waits for nothing. */
    public int mostRuns(String surface) {
        if (source.isPresent()) {
            try {
                int most = source.call(limits -> limits.mostRuns(surface));
                if (most == ConcurrencyLimits.NO_LIMIT) {
                    known.remove(surface);
                } else if (most > 0) {
                    known.put(surface, most);
                } // else it is not known now
            } catch (PalyraException e) {
                LOG.debug("The limits of surfaces left while they were asked", e);
            } catch (RuntimeException | LinkageError e) {
                LOG.warn("The limit of surface {} is not known; the last one counts", surface, e);
            }
        }
        return known.getOrDefault(surface, ConcurrencyLimits.NO_LIMIT);
    }
}
