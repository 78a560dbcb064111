package palyra.journal.internal.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.journal.RunLoss;

/** Known losses, for operators and senders. Thread-safe. */
public final class KnownLosses {
    /** What helps against a lost row that cannot be made again. */
    public static final String RESTORE =
            "Restore it from a backup of the journal folder; the other runs go on without it.";

    private static final Logger LOG = LoggerFactory.getLogger(KnownLosses.class);
    private static final int MOST = 100;

    private final Map<String, Loss> known = new LinkedHashMap<>(); // guarded by this
    private final Map<String, Loss> seen = new LinkedHashMap<>(); // of this look; guarded by this
    private long more; // guarded by this; beyond those of this look

    private record Loss(String sentence, Optional<RunLoss> run) {}

    /** Notes that something of a run is lost. */
    public void found(String what, String sentence) {
        found(what, new Loss(sentence, Optional.empty()));
    }

    /** Notes that the row of a run is lost. */
    public void found(RunLoss run) {
        found("run " + run.runId(), new Loss(run.sentence(), Optional.of(run)));
    }

    private synchronized void found(String what, Loss loss) {
        if (seen.size() >= MOST && !seen.containsKey(what)) {
            more++;
            return;
        }
        seen.put(what, loss);
        if (!loss.equals(known.put(what, loss))) {
            LOG.error("{}", loss.sentence());
        }
    }

    /** It is there again. */
    public synchronized void repaired(String what) {
        known.remove(what);
        seen.remove(what);
    }

    /** A full check ended: losses that were not found again are dropped. */
    public synchronized void looked() {
        known.keySet().retainAll(seen.keySet());
        seen.clear();
        if (more > 0) {
            known.put("more", new Loss(more + " more rows of runs are lost.", Optional.empty()));
        } else {
            known.remove("more");
        }
        more = 0;
    }

    /** Returns one sentence for each. */
    public synchronized List<String> sentences() {
        return known.values().stream().map(Loss::sentence).toList();
    }

    /** Returns runs whose row is lost; {@code principal} empty means of any. */
    public synchronized List<RunLoss> runs(String principal) {
        List<RunLoss> runs = new ArrayList<>();
        known.values().forEach(loss -> loss.run().ifPresent(runs::add));
        runs.removeIf(run -> !principal.isEmpty() && !run.principal().equals(principal));
        return runs;
    }
}
