package palyra.console.internal.run.stream;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.access.Principal;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.shared.gate.Gate;

/**
 * Which hints a viewer gets: those about what the viewer's own lists show. It asks for the list,
 * never for a run of another principal, so nothing is refused and recorded. Used by one thread.
 */
final class Visibility {
    /** Runs of others and own ones that are remembered, so that a list is asked for once each. */
    private static final int REMEMBERED = 1_024;

    private static final int PAGE = 200;

    /** Topics that a change of anything else than runs belongs to. */
    static final List<String> ALL = List.of("run", "session", "approval", "journal", "channel");

    /** The topic that a run changes which was not known to the tab. */
    static final String NEW_RUN = "session";

    private static final Set<String> OWN = Set.of("run", "session", "approval");

    private final Gate<Runs> runs;
    private final Map<String, Boolean> known =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > REMEMBERED;
                }
            };

    Visibility(Gate<Runs> runs) {
        this.runs = runs;
    }

    /** Returns the topics that changed for a viewer. */
    Set<String> topics(Principal viewer, Collection<Hint> hints) {
        Set<String> topics = new LinkedHashSet<>();
        for (Hint hint : hints) {
            switch (hint) {
                case Hint.OfRun run -> addOfRun(topics, "run", viewer, run.runId());
                case Hint.OfApproval approval -> {
                    if (viewer.in("approver")) {
                        topics.add("approval"); // the run stays unknown until a hint of its own
                    } else {
                        addOfRun(topics, "approval", viewer, approval.runId());
                    }
                }
                case Hint.OfSystem system -> {
                    if (viewer.in("operator")) {
                        topics.add(system.topic());
                    }
                }
            }
        }
        return topics;
    }

    /** A run is new to the tab by whichever hint tells of it first. */
    private void addOfRun(Set<String> topics, String topic, Principal viewer, String runId) {
        boolean first = !runId.isEmpty() && !known.containsKey(runId);
        if (isVisible(viewer, runId)) {
            topics.add(topic);
            if (first) {
                topics.add(NEW_RUN);
            }
        }
    }

    /** Returns the topics of everything that a viewer may see. */
    static List<String> all(Principal viewer) {
        return viewer.in("operator") ? ALL : ALL.stream().filter(OWN::contains).toList();
    }

    private boolean isVisible(Principal viewer, String runId) {
        if (viewer.in("operator")) {
            known.put(runId, true);
            return true;
        }
        if (runId.isEmpty()) {
            return false;
        }
        Boolean remembered = known.get(runId);
        if (remembered == null) {
            remembered =
                    runs.call(front -> front.runs(viewer, "", "", PAGE)).stream()
                            .map(RunView::runId)
                            .anyMatch(runId::equals);
            known.put(runId, remembered);
        }
        return remembered;
    }
}
