package palyra.config.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.LoopView;
import palyra.shared.files.MediumFailure;
import palyra.shared.loop.Backoff;
import palyra.shared.loop.Heartbeat;
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.SupervisedLoop;

/**
 * Polls the configuration folders twice a second and applies the plan of the {@link
 * ConfigurationReconciler}. {@link #start} runs on the caller's thread, later polls on one thread;
 * {@link #refreshCatalogue}, the view and the counters are thread-safe.
 */
final class ConfigurationWatcher {
    static final String THREAD_NAME = "palyra-config";
    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationWatcher.class);
    private static final long STOP_MILLIS = 20_000;
    private static final long LOOK_AGAIN_MILLIS = 2_000;
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofMinutes(1));

    private final List<ConfigurationFolder> folders;
    private final Optional<Path> state;
    private final Overrides overrides;
    private final Catalogue catalogue;
    private final ConfigurationSink installation;
    private final ChangeRecorder recorder;
    private final long pollMillis;
    private final ConfigurationReconciler reconciler = new ConfigurationReconciler(this::lastGood);
    private final ReentrantLock turn = new ReentrantLock();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicLong applied = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final SupervisedLoop loop =
            new SupervisedLoop(
                    LoopSpec.of(THREAD_NAME, "palyra.config").withBackoff(BACKOFF), this::run);
    private volatile ConfigurationView view = ConfigurationView.NOTHING;
    private volatile Runnable onDecision = () -> {};
    private boolean unfinished; // guarded by turn
    private Optional<Path> dropPlace = Optional.empty(); // guarded by turn
    private Optional<ConfigurationFolder> dropFolder = Optional.empty(); // guarded by turn

    private final ComponentOutcomes outcomes = new ComponentOutcomes();
    private final Probation probation = new Probation(outcomes); // guarded by turn

    /** Applied since the last poll; guarded by turn. */
    private final Set<Target> changed = new LinkedHashSet<>();

    /**
     * @param state the state folder; empty when there must be no drop-in folder
     */
    ConfigurationWatcher(
            List<ConfigurationFolder> folders,
            Optional<Path> state,
            Overrides overrides,
            Catalogue catalogue,
            ConfigurationSink installation,
            ChangeRecorder recorder,
            long pollMillis) {
        this.folders = List.copyOf(folders);
        this.state = state;
        this.overrides = overrides;
        this.catalogue = catalogue;
        this.installation = installation;
        this.recorder = recorder;
        this.pollMillis = pollMillis;
    }

    /** Polls once, applies the result, and starts the polling thread. */
    void start() {
        try {
            reconciler.inherit(installation.managedTargets());
        } catch (IOException e) {
            LOG.warn("Earlier configurations cannot be listed; those without a file stay.", e);
        }
        catalogue.refresh();
        folders.forEach(folder -> folder.poll(true));
        decide();
        loop.start();
    }

    /**
     * Stops the thread and waits for it. It is not interrupted at first, because it may be inside
     * Configuration Admin, restarting a component of another bundle.
     */
    void stop() {
        stop.countDown();
        try {
            loop.stop();
            if (!loop.join(STOP_MILLIS)) {
                loop.interrupt();
                loop.join(pollMillis);
            }
        } catch (InterruptedException e) {
            loop.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the current state, with the failures of components. */
    ConfigurationView view() {
        return view.with(outcomes.problems());
    }

    /** Returns the failures of components with their configurations. */
    ComponentOutcomes outcomes() {
        return outcomes;
    }

    /** Sets a listener that is called after each decision; it must be quick. */
    void onDecision(Runnable listener) {
        onDecision = listener;
    }

    Catalogue catalogue() {
        return catalogue;
    }

    /** Returns how many configurations were installed, replaced or deleted. */
    long applied() {
        return applied.get();
    }

    /** Returns how many problems were found since the start. */
    long refused() {
        return refused.get();
    }

    /** Returns the state of the thread. */
    LoopView loop() {
        return loop.view();
    }

    private void run(Heartbeat pulse) throws InterruptedException {
        while (!stop.await(pollMillis, TimeUnit.MILLISECONDS)) {
            pulse.beat();
            tick();
            pulse.idle();
        }
    }

    /**
     * Reads the declarations of bundles now, so that a command does not report a new PID as
     * unknown. Files are read by the regular polls only: a file is accepted when two polls see the
     * same content. Gives up when a poll takes longer than 2 s. Thread-safe.
     */
    void refreshCatalogue() throws InterruptedException {
        if (!turn.tryLock(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
            return;
        }
        try {
            if (catalogue.refresh() || unfinished) {
                decide();
            }
        } finally {
            turn.unlock();
        }
    }

    private void tick() {
        turn.lock();
        try {
            changed.forEach(outcomes::revive); // the component runtime has taken them by now
            changed.clear();
            boolean again = catalogue.refresh() || unfinished;
            boolean recorded = recorder.waiting() == 0; // else it may be why no journal opens
            again |= probation.look(recorded, this::keep, reconciler::refuse);
            for (ConfigurationFolder folder : allFolders()) {
                again |= folder.poll(false);
            }
            if (again) {
                decide();
            }
            recorder.advance();
        } catch (RuntimeException | Error e) {
            unfinished = true; // steps may be missing: the next poll decides again
            throw e;
        } finally {
            turn.unlock();
        }
    }

    /** Keeps what is in force of a target for a start at which its files are refused. */
    private void keep(Target target) {
        reconciler
                .sources(target)
                .forEach(source -> folders.forEach(folder -> folder.inForce(source)));
    }

    private List<ConfigurationFolder> allFolders() {
        List<ConfigurationFolder> all = new ArrayList<>(folders);
        dropFolder.ifPresent(all::add);
        return all;
    }

    /** Decides, and again when the drop-in folder was added or removed. */
    private void decide() {
        decideOnce();
        Optional<Path> place = state.flatMap(at -> DropIn.place(reconciler.settings(), at));
        if (!place.equals(dropPlace)) {
            dropPlace = place;
            dropFolder = place.map(at -> new ConfigurationFolder(Layer.DEPLOYED, at));
            dropFolder.ifPresent(folder -> folder.poll(true));
            decideOnce();
        }
        onDecision.run();
    }

    private void decideOnce() {
        List<Source> sources = new ArrayList<>(overrides.sources());
        List<Problem> problems = new ArrayList<>(overrides.problems());
        for (ConfigurationFolder folder : allFolders()) {
            sources.addAll(folder.sources());
            problems.addAll(folder.problems());
        }
        ConfigurationReconciler.Plan plan = reconciler.plan(sources, catalogue);
        problems.addAll(plan.problems());
        unfinished = false;
        plan.steps().forEach(step -> carryOut(step, problems));
        logChanges(problems);
        if (allFolders().stream().allMatch(ConfigurationFolder::readable)) {
            recorder.known(sources.stream().map(Source::id).collect(Collectors.toSet()));
        }
        view = new ConfigurationView(sources, new TreeMap<>(reconciler.settings()), problems);
    }

    private Optional<Source> lastGood(Source source) {
        return folders.stream().flatMap(folder -> folder.lastGood(source).stream()).findFirst();
    }

    private void carryOut(ConfigurationReconciler.Step step, List<Problem> problems) {
        try {
            outcomes.forget(step.target());
            if (step.values().isPresent()) {
                installation.put(step.target(), step.values().get());
            } else {
                installation.delete(step.target());
            }
            reconciler.done(step);
            probation.begin(step.target());
            changed.add(step.target());
            applied.incrementAndGet();
            step.changes().forEach(recorder::add);
            LOG.info(
                    "Configuration of {} {}.",
                    step.target(),
                    step.values().isPresent() ? "is in force" : "is gone with its file");
        } catch (IOException | RuntimeException e) {
            unfinished = true;
            LOG.debug("Configuration Admin refused {}.", step.target(), e);
            problems.add(
                    Problem.error(
                            step.target().toString(),
                            "The configuration of "
                                    + step.target()
                                    + " could not be applied: "
                                    + reason(e)
                                    + ".",
                            "It is retried automatically; the log has the cause (palyra logs)."));
        }
    }

    /**
     * The message of an exception may contain configuration values; that of a storage failure does
     * not.
     */
    private static String reason(Exception e) {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        return e instanceof IOException && MediumFailure.of(e, folder) == MediumFailure.NO_SPACE
                ? MediumFailure.sentence(e, folder)
                : e.getClass().getSimpleName();
    }

    /** Logs new and solved problems, so that each is in the log once. */
    private void logChanges(List<Problem> now) {
        Set<Problem> before = new HashSet<>(view.problems());
        Set<Problem> current = new HashSet<>(now);
        for (Problem problem : now) {
            if (before.add(problem)) {
                refused.incrementAndGet();
                if (problem.severity() == Finding.Severity.ERROR) {
                    LOG.warn("{} {}", problem.message(), problem.remedy());
                } else {
                    LOG.info("{} {}", problem.message(), problem.remedy());
                }
            }
        }
        view.problems().stream()
                .filter(p -> !current.contains(p))
                .forEach(p -> LOG.info("Solved: {}", p.message()));
    }
}
