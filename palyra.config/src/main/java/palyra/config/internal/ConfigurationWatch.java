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
import palyra.shared.loop.LoopSpec;
import palyra.shared.loop.Pulse;
import palyra.shared.loop.SupervisedLoop;

/**
 * Looks at the folders twice a second and carries out what the {@link ConfigurationReconciler}
 * decides. {@link #begin} runs on the caller's thread, everything after it on the one thread of its
 * own but for {@link #lookAgain}; the view and the counters are for any thread.
 */
final class ConfigurationWatch {
    static final String THREAD_NAME = "palyra-config";
    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationWatch.class);
    private static final long STOP_MILLIS = 20_000;
    private static final long LOOK_AGAIN_MILLIS = 2_000;
    private static final Backoff BACKOFF =
            new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), Duration.ofMinutes(1));

    private final List<ConfFolder> folders;
    private final Optional<Path> state;
    private final Overrides overrides;
    private final Catalogue catalogue;
    private final Installation installation;
    private final ChangeRecorder recorder;
    private final long pollMillis;
    private final ConfigurationReconciler reconciler = new ConfigurationReconciler();
    private final ReentrantLock turn = new ReentrantLock();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicLong applied = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final SupervisedLoop loop =
            new SupervisedLoop(
                    LoopSpec.of(THREAD_NAME, "palyra.config").withBackoff(BACKOFF), this::run);
    private volatile ConfigurationView view = ConfigurationView.NOTHING;
    private volatile Runnable whenDecided = () -> {};
    private boolean unfinished; // guarded by turn
    private Optional<Path> dropPlace = Optional.empty(); // guarded by turn
    private Optional<ConfFolder> dropFolder = Optional.empty(); // guarded by turn

    private final ComponentOutcomes outcomes = new ComponentOutcomes();

    /** Handed over since the last look; guarded by turn. */
    private final Set<Target> changed = new LinkedHashSet<>();

    /**
     * @param state the state folder; empty when there must be no drop-in folder
     */
    ConfigurationWatch(
            List<ConfFolder> folders,
            Optional<Path> state,
            Overrides overrides,
            Catalogue catalogue,
            Installation installation,
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

    /** Makes the first look, carries it out, and starts the thread that looks from then on. */
    void begin() {
        try {
            reconciler.inherit(installation.ours());
        } catch (IOException e) {
            LOG.warn("Earlier configurations cannot be listed; those without a file stay.", e);
        }
        catalogue.refresh();
        folders.forEach(folder -> folder.look(true));
        decide();
        loop.start();
    }

    /**
     * Stops and waits for the thread. It is not interrupted at first: it may be inside
     * Configuration Admin, restarting somebody's component.
     */
    void end() {
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

    /** Returns how things stand, with what components made of it. */
    ConfigurationView view() {
        return view.with(outcomes.problems());
    }

    /** Returns what components make of what they are handed. */
    ComponentOutcomes outcomes() {
        return outcomes;
    }

    /** Sets what is called after each decision from now on; keep it short. */
    void whenDecided(Runnable listener) {
        whenDecided = listener;
    }

    Catalogue catalogue() {
        return catalogue;
    }

    /** Returns how many configurations were installed, replaced or deleted. */
    long applied() {
        return applied.get();
    }

    /** Returns how many problems came up. */
    long refused() {
        return refused.get();
    }

    /** Returns how the thread is. */
    LoopView loop() {
        return loop.view();
    }

    private void run(Pulse pulse) throws InterruptedException {
        while (!stop.await(pollMillis, TimeUnit.MILLISECONDS)) {
            pulse.beat();
            tick();
            pulse.idle();
        }
    }

    /**
     * Takes note at once of what bundles declare now, for somebody who is about to be told that
     * there is no such thing. Files are left to the regular looks: a file is taken when two of them
     * saw the same. Does nothing while a look takes longer than 2 s. Any thread.
     */
    void lookAgain() throws InterruptedException {
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
            for (ConfFolder folder : allFolders()) {
                again |= folder.look(false);
            }
            if (again) {
                decide();
            }
            recorder.advance();
        } catch (RuntimeException | Error e) {
            unfinished = true; // steps of the decision may be missing: the next look decides again
            throw e;
        } finally {
            turn.unlock();
        }
    }

    private List<ConfFolder> allFolders() {
        List<ConfFolder> all = new ArrayList<>(folders);
        dropFolder.ifPresent(all::add);
        return all;
    }

    /** Decides, and once more when that brought or took the drop-in folder. */
    private void decide() {
        decideOnce();
        Optional<Path> place = state.flatMap(at -> DropIn.place(reconciler.settings(), at));
        if (!place.equals(dropPlace)) {
            dropPlace = place;
            dropFolder = place.map(at -> new ConfFolder(Layer.DEPLOYED, at));
            dropFolder.ifPresent(folder -> folder.look(true));
            decideOnce();
        }
        whenDecided.run();
    }

    private void decideOnce() {
        List<Source> sources = new ArrayList<>(overrides.sources());
        List<Problem> problems = new ArrayList<>(overrides.problems());
        for (ConfFolder folder : allFolders()) {
            sources.addAll(folder.sources());
            problems.addAll(folder.problems());
        }
        ConfigurationReconciler.Plan plan = reconciler.plan(sources, catalogue);
        problems.addAll(plan.problems());
        unfinished = false;
        plan.steps().forEach(step -> carryOut(step, problems));
        tell(problems);
        if (allFolders().stream().allMatch(ConfFolder::readable)) {
            recorder.known(sources.stream().map(Source::id).collect(Collectors.toSet()));
        }
        view = new ConfigurationView(sources, new TreeMap<>(reconciler.settings()), problems);
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
                                    + " could not be handed over: "
                                    + reason(e)
                                    + ".",
                            "It is tried again by itself; the log of Configuration Admin says more."));
        }
    }

    /** An exception's own text may hold values of the configuration; a medium's does not. */
    private static String reason(Exception e) {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        return e instanceof IOException && MediumFailure.of(e, folder) == MediumFailure.NO_SPACE
                ? MediumFailure.sentence(e, folder)
                : e.getClass().getSimpleName();
    }

    /** Logs what is new and what is over, so that a fault stands in the log once. */
    private void tell(List<Problem> now) {
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
                .forEach(p -> LOG.info("No longer so: {}", p.message()));
    }
}
