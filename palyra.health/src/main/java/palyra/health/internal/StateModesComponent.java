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
 * Watches the modes of the state folder, puts them back, and tells of it: an event of the journal,
 * a finding, a line of the log.
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

    /** Begins to look. */
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
                                this::look)
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

    private void look() throws IOException {
        for (StateModes.Change change : modes.look()) {
            Seen seen = new Seen(change, Instant.now());
            if (keep(seen)) {
                LOG.error("{}", sentence(seen));
                unrecorded.add(seen);
            }
        }
        record();
    }

    /** Returns false for one that could not be put back and was told before. */
    private boolean keep(Seen seen) {
        synchronized (kept) {
            boolean told =
                    !seen.change().problem().isEmpty()
                            && kept.stream().anyMatch(one -> one.change().equals(seen.change()));
            if (!told) {
                kept.addFirst(seen);
            }
            while (kept.size() > MOST_KEPT) {
                kept.removeLast();
            }
            return !told;
        }
    }

    /** What the journal does not take now waits for the next look; the oldest give way. */
    private void record() {
        while (unrecorded.size() > MOST_KEPT) {
            unrecorded.removeFirst();
        }
        while (!unrecorded.isEmpty() && journal.isPresent()) {
            try {
                Unit unit = Unit.of(event(unrecorded.peekFirst()));
                journal.run(present -> present.commit(unit)); // twice told does no harm
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
                        ? " and was put back to " + change.wanted() + "."
                        : " and cannot be put back: " + change.problem() + ".");
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
                                        ? "Put it back: chmod u=rwX,go= " + seen.change().path()
                                        : "Find out what did it: programs of the gateway's user"
                                                + " can change modes, and so can a command in Tier"
                                                + " B whose enforcement says metadata=open. While"
                                                + " it was"
                                                + " open, others could read what is there: rotate"
                                                + " keys and tokens if that matters."));
            }
        }
        return findings;
    }

    @Override
    public List<LoopView> loops() {
        return List.of(loop.view());
    }
}
