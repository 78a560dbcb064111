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
 * Carries changes out, one at a time: recorded before, checked after, remembered when they failed.
 * Used by one thread.
 */
final class Changes {
    private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

    private final BundleWork work;
    private final JarStore store;
    private final DeployedFiles deployed;
    private final DeployJournal journal;
    private final Map<String, Failure> failures = new HashMap<>();
    private final Set<String> stuck = new HashSet<>(); // bundles that could not be taken out
    private final Reporter reporter;

    Changes(
            BundleWork work,
            JarStore store,
            DeployedFiles deployed,
            DeployJournal journal,
            Reporter reporter) {
        this.work = work;
        this.store = store;
        this.deployed = deployed;
        this.journal = journal;
        this.reporter = reporter;
    }

    Map<String, Failure> failures() {
        return Map.copyOf(failures);
    }

    /** Returns whether a bundle cannot be taken out; it is left alone until the next start. */
    boolean isStuck(String symbolicName) {
        return stuck.contains(symbolicName);
    }

    /**
     * Carries one out.
     *
     * @param reading the reading of the file that it follows from
     * @param world what the framework holds now
     * @throws PalyraException when it cannot be recorded: then nothing was changed
     */
    void carryOut(Change change, long reading, long world, DeploySettings settings)
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
        Optional<String> objection = work.objection(facts);
        if (objection.isPresent()) {
            String reason = facts.title() + " would not resolve here: " + objection.get() + ".";
            remember(
                    change,
                    new Failure(
                            facts.sha256(),
                            reading,
                            world,
                            Row.State.REFUSED,
                            reason,
                            "Install what it needs; it is tried again by itself."));
            journal.refused(change.file(), facts, reason, change.pin());
            return;
        }
        String operation = journal.begin(change);
        Outcome outcome = putCopy(change, facts.jar(), facts.sha256(), settings);
        if (outcome.isDone()) {
            keep(Deployed.of(change.file(), facts));
            failures.remove(change.file());
        } else {
            remember(
                    change,
                    new Failure(
                            facts.sha256(),
                            reading,
                            Failure.WHATEVER_HAPPENS,
                            Row.State.FAILED,
                            facts.title() + " did not come up. " + outcome.message(),
                            "Correct the bundle and replace the file, or touch it to have it tried again;"
                                    + " palyra logs has the details."));
        }
        end(operation, change, outcome);
    }

    private void remember(Change change, Failure failure) {
        failures.put(change.file(), failure);
    }

    /** What was checked is what is put in: our copy, which must still be what it was. */
    private Outcome putCopy(Change change, Path jar, String sha256, DeploySettings settings)
            throws InterruptedException {
        try {
            if (!JarStore.digest(jar, settings.maxFileBytes()).equals(sha256)) {
                return untouched("our copy of the jar was changed");
            }
        } catch (IOException | UnusableException e) {
            return untouched("our copy of the jar cannot be read");
        }
        return work.put(
                change.symbolicName(),
                jar,
                change.before().map(good -> store.jar(good.sha256())),
                settings.startTimeoutMillis());
    }

    private static Outcome untouched(String why) {
        return new Outcome(Outcome.Result.WITHDRAWN, "Nothing was changed, because " + why + ".");
    }

    private void restore(Change change, Deployed good, DeploySettings settings)
            throws InterruptedException {
        String operation = journal.begin(change);
        Outcome outcome = putCopy(change, store.jar(good.sha256()), good.sha256(), settings);
        if (!outcome.isDone()) {
            forget(good.symbolicName());
        }
        end(operation, change, outcome);
    }

    /**
     * Takes a bundle out.
     *
     * @param forget whether it is no longer what is known to be good
     */
    void remove(Change change, boolean forget, DeploySettings settings)
            throws InterruptedException {
        String operation = journal.begin(change);
        Outcome outcome = work.remove(change.symbolicName(), settings.startTimeoutMillis());
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

    /** Takes note that another file stands for a bundle now. */
    void keep(Deployed good) {
        try {
            deployed.put(good);
        } catch (IOException e) {
            LOG.warn("That {} is good is known until the next start only.", good.title(), e);
        }
    }

    private void forget(String symbolicName) {
        try {
            deployed.remove(symbolicName);
        } catch (IOException e) {
            LOG.warn("The note about {} cannot be deleted.", symbolicName, e);
        }
    }
}
