package palyra.deploy.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;

/**
 * Executes changes, one at a time: records each before, checks it after, remembers failures. Not
 * thread-safe.
 */
final class ChangeExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeExecutor.class);

    private final BundleInstaller installer;
    private final JarStore store;
    private final DeployedBundleStore deployed;
    private final DeployJournal journal;
    private final Map<String, Failure> failures = new HashMap<>();
    private final Set<String> stuck = new HashSet<>(); // bundles that could not be uninstalled
    private final Reporter reporter;

    ChangeExecutor(
            BundleInstaller installer,
            JarStore store,
            DeployedBundleStore deployed,
            DeployJournal journal,
            Reporter reporter) {
        this.installer = installer;
        this.store = store;
        this.deployed = deployed;
        this.journal = journal;
        this.reporter = reporter;
    }

    Map<String, Failure> failures() {
        return Map.copyOf(failures);
    }

    /** Returns whether a bundle could not be uninstalled; it is left alone until the next start. */
    boolean isStuck(String symbolicName) {
        return stuck.contains(symbolicName);
    }

    /**
     * Executes one change.
     *
     * @param reading reading of its file
     * @param world stamp of the framework
     * @throws PalyraException when it cannot be recorded: then nothing was changed
     */
    void execute(Change change, long reading, long world, DeploySettings settings)
            throws InterruptedException {
        switch (change.kind()) {
            case PUT -> put(change, change.wanted().orElseThrow(), reading, world, settings);
            case RESTORE -> restore(change, change.before().orElseThrow(), settings);
            case REMOVE -> remove(change, true, settings);
        }
    }

    private void put(
            Change change, JarFacts facts, long reading, long world, DeploySettings settings)
            throws InterruptedException {
        Optional<String> objection = installer.objection(facts);
        if (objection.isPresent()) {
            String reason = facts.title() + " would not resolve: " + objection.get() + ".";
            remember(
                    change,
                    new Failure(
                            facts.sha256(),
                            reading,
                            world,
                            Row.State.REFUSED,
                            reason,
                            "Install what it needs; it is retried automatically."));
            journal.refused(change.file(), facts, reason, change.pin());
            return;
        }
        String operation = journal.begin(change);
        Outcome outcome = putCopy(change, facts.jar(), facts.sha256(), settings);
        if (outcome.isDone()) {
            keep(DeployedBundle.of(change.file(), facts));
            failures.remove(change.file());
        } else {
            remember(
                    change,
                    new Failure(
                            facts.sha256(),
                            reading,
                            Failure.WHATEVER_HAPPENS,
                            Row.State.FAILED,
                            facts.title() + " did not start. " + outcome.message(),
                            "Correct the bundle and replace the file, or touch it to retry;"
                                    + " palyra logs has the details."));
        }
        end(operation, change, outcome);
    }

    private void remember(Change change, Failure failure) {
        failures.put(change.file(), failure);
    }

    /** Installs the checked copy, whose digest must be unchanged. */
    private Outcome putCopy(Change change, Path jar, String sha256, DeploySettings settings)
            throws InterruptedException {
        try {
            if (!JarStore.digest(jar, settings.maxFileBytes()).equals(sha256)) {
                return untouched("the copy of the jar was changed");
            }
        } catch (IOException | UnusableFileException e) {
            return untouched("the copy of the jar cannot be read");
        }
        return installer.put(
                change.symbolicName(),
                jar,
                change.before().map(good -> store.jar(good.sha256())),
                settings.startTimeoutMillis());
    }

    private static Outcome untouched(String why) {
        return new Outcome(Outcome.Result.WITHDRAWN, "Nothing was changed, because " + why + ".");
    }

    private void restore(Change change, DeployedBundle good, DeploySettings settings)
            throws InterruptedException {
        String operation = journal.begin(change);
        Outcome outcome = putCopy(change, store.jar(good.sha256()), good.sha256(), settings);
        if (!outcome.isDone()) {
            forget(good.symbolicName());
        }
        end(operation, change, outcome);
    }

    /**
     * Uninstalls a bundle.
     *
     * @param forget whether to delete its last good state
     */
    void remove(Change change, boolean forget, DeploySettings settings)
            throws InterruptedException {
        String operation = journal.begin(change);
        Outcome outcome = installer.remove(change.symbolicName(), settings.startTimeoutMillis());
        if (!outcome.isDone()) {
            stuck.add(change.symbolicName());
        } else if (forget) {
            forget(change.symbolicName());
        }
        end(operation, change, outcome);
    }

    private void end(String operation, Change change, Outcome outcome) {
        journal.end(operation, change, outcome);
        reporter.count(outcome);
        if (outcome.isDone()) {
            LOG.info("Done: {}. {}", change.title(), outcome.message());
        } else {
            LOG.warn("Not done: {}. {}", change.title(), outcome.message());
        }
    }

    /** Records that another file provides a bundle now. */
    void keep(DeployedBundle good) {
        try {
            deployed.put(good);
        } catch (IOException e) {
            LOG.warn(
                    "The state of {} could not be saved; it is known until the next start only.",
                    good.title(),
                    e);
        }
    }

    private void forget(String symbolicName) {
        try {
            deployed.remove(symbolicName);
        } catch (IOException e) {
            LOG.warn("The saved state of {} cannot be deleted.", symbolicName, e);
        }
    }
}
