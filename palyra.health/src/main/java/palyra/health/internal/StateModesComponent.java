package palyra.health.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Ops;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * Checks the file modes in the state folder, restores them, and reports each change as a journal
 * event, a finding and a log line.
 */
@Component(
        immediate = true,
        service = {FindingSource.class, LoopSource.class})
public final class StateModesComponent implements FindingSource, LoopSource {
    /** Journal event: the mode of something in the state folder was changed from outside. */
    static final String CHANGED = "state_mode_changed";

    private static final Logger LOG = LoggerFactory.getLogger(StateModesComponent.class);
    private static final Duration EVERY = Duration.ofSeconds(2);
    private static final int MOST_KEPT = 20;

    private final Gate<Journal> journal =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Path folder;
    private final StateModes modes;
    private final SupervisedLoop loop;
    private final Deque<Seen> kept = new ArrayDeque<>(); // guarded by itself
    private final Deque<Seen> unrecorded = new ArrayDeque<>(); // the loop's own

    private record Seen(StateModes.Change change, Instant at) {}

    /** Starts the checks. */
    @Activate
    public StateModesComponent(BundleContext context) throws IOException {
        this(Path.of(context.getProperty(Ops.STATE_FOLDER)), EVERY);
    }

    StateModesComponent(Path folder, Duration every) throws IOException {
        this.folder = folder;
        modes = new StateModes(folder, (Integer) Files.getAttribute(folder, "unix:uid"));
        loop =
                SupervisedLoop.every(
                                LoopSpec.of("palyra-state-modes", "palyra.health"),
                                every,
                                this::check)
                        .start();
    }

    @Deactivate
    void close() {
        loop.close(2_000);
    }

    /** Called by the component runtime. */
    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindJournal(Journal service, Map<String, ?> properties) {
        journal.add(service, properties);
    }

    /** Called by the component runtime. */
    void unbindJournal(Journal service) {
        journal.remove(service);
    }

    private void check() throws IOException {
        for (StateModes.Change change : modes.check()) {
            Seen seen = new Seen(change, Instant.now());
            if (keep(seen)) {
                LOG.error("{}", sentence(seen));
                unrecorded.add(seen);
            }
        }
        record();
    }

    /** Returns false for a change that could not be restored and was reported before. */
    private boolean keep(Seen seen) {
        synchronized (kept) {
            boolean reported =
                    !seen.change().problem().isEmpty()
                            && kept.stream().anyMatch(one -> one.change().equals(seen.change()));
            if (!reported) {
                kept.addFirst(seen);
            }
            while (kept.size() > MOST_KEPT) {
                kept.removeLast();
            }
            return !reported;
        }
    }

    /**
     * Writes the events. Those that the journal does not take wait for the next check; the oldest
     * are dropped.
     */
    private void record() {
        while (unrecorded.size() > MOST_KEPT) {
            unrecorded.removeFirst();
        }
        while (!unrecorded.isEmpty() && journal.isPresent()) {
            try {
                Unit unit = Unit.of(event(unrecorded.peekFirst()));
                journal.run(present -> present.commit(unit)); // a repeated event does no harm
            } catch (PalyraException e) {
                LOG.debug("The journal takes no event now: {}", e.getMessage());
                return;
            }
            unrecorded.removeFirst();
        }
    }

    private Operation.Append event(Seen seen) {
        return new Operation.Append(
                TapeRecord.JOURNAL_STREAM,
                CHANGED,
                1,
                Jcs.bytes(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("path", folder.relativize(seen.change().path()).toString())
                                .put("found", seen.change().found())
                                .put("wanted", seen.change().wanted())
                                .put("restored", seen.change().problem().isEmpty())));
    }

    private static String sentence(Seen seen) {
        StateModes.Change change = seen.change();
        return "The mode of "
                + change.path()
                + " was changed from outside to "
                + change.found()
                + " (seen at "
                + seen.at()
                + ")"
                + (change.problem().isEmpty()
                        ? " and was restored to " + change.wanted() + "."
                        : " and cannot be restored: " + change.problem() + ".");
    }

    @Override
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        synchronized (kept) {
            for (Seen seen : kept) {
                boolean open = !seen.change().problem().isEmpty();
                findings.add(
                        new Finding(
                                open ? Finding.Severity.ERROR : Finding.Severity.WARNING,
                                "state",
                                sentence(seen),
                                open
                                        ? "Restore it: chmod u=rwX,go= " + seen.change().path()
                                        : "Find the cause: programs of the gateway's user can"
                                                + " change modes, and so can a command in Tier B"
                                                + " whose enforcement says metadata=open. While it"
                                                + " was open, other users could read the files:"
                                                + " rotate keys and tokens if that matters."));
            }
        }
        return findings;
    }

    @Override
    public List<LoopView> loops() {
        return List.of(loop.view());
    }
}
