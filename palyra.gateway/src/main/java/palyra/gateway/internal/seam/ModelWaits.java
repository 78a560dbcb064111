package palyra.gateway.internal.seam;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Runs that wait for their model, with the reason. Thread-safe. */
public final class ModelWaits {
    private final Map<String, Wait> waits = new ConcurrentHashMap<>();

    /**
     * A run that waits.
     *
     * @param provider id of the provider; empty when the run does not know yet whom to ask
     * @param sentence what the run's reason says
     * @param sinceMillis unix time in milliseconds at which it began to wait
     */
    public record Wait(String runId, String provider, String sentence, long sinceMillis) {}

    /** A run waits for another reason than before; with an empty sentence it goes on. */
    public void note(String runId, String provider, String sentence) {
        if (sentence.isEmpty()) {
            waits.remove(runId);
            return;
        }
        long now = System.currentTimeMillis();
        waits.compute(
                runId,
                (id, before) ->
                        new Wait(
                                runId,
                                provider,
                                sentence,
                                before == null ? now : before.sinceMillis()));
    }

    /** Returns those that wait now, the oldest first. */
    public List<Wait> all() {
        return waits.values().stream().sorted(Comparator.comparingLong(Wait::sinceMillis)).toList();
    }
}
