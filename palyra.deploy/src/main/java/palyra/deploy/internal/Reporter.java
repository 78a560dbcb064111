package palyra.deploy.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.osgi.framework.Bundle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;

/**
 * Publishes the state and logs changes. The view and the counters are thread-safe, the rest is not.
 */
final class Reporter {
    private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
    private static final long SLOW_MILLIS = 10_000;

    private final BundleInstaller installer;
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private volatile DeployView view = DeployView.NOTHING;
    private volatile Activity doing;

    Reporter(BundleInstaller installer) {
        this.installer = installer;
    }

    /** A running change. */
    private record Activity(String what, long sinceNanos) {}

    DeployView view() {
        return view;
    }

    /** Returns how many changes succeeded. */
    long done() {
        return done.get();
    }

    /** Returns how many changes failed. */
    long failed() {
        return failed.get();
    }

    /** Returns how many refusals were reported. */
    long refused() {
        return refused.get();
    }

    void count(Outcome outcome) {
        (outcome.isDone() ? done : failed).incrementAndGet();
    }

    void activityStarted(String what) {
        doing = new Activity(what, System.nanoTime());
    }

    void activityEnded() {
        doing = null;
    }

    /** Returns a finding when the running change takes unusually long. */
    Optional<Finding> slow() {
        Activity now = doing;
        boolean slow =
                now != null
                        && System.nanoTime() - now.sinceNanos()
                                > TimeUnit.MILLISECONDS.toNanos(SLOW_MILLIS);
        return slow
                ? Optional.of(
                        finding(
                                Severity.WARNING,
                                "The drop-in folder has been "
                                        + now.what()
                                        + " for more than "
                                        + SLOW_MILLIS / 1_000
                                        + " seconds.",
                                "It is rolled back after the start timeout."))
                : Optional.empty();
    }

    private static Finding finding(Severity severity, String message, String remedy) {
        return new Finding(severity, DeployView.AREA, message, remedy);
    }

    /** Publishes that the folder is not watched. */
    void off(DeploySettings settings) {
        List<Finding> general =
                settings.faulty()
                        ? List.of(
                                finding(
                                        Severity.ERROR,
                                        settings.why(),
                                        "Correct folder of palyra.deploy."))
                        : List.of();
        publish(
                new DeployView(
                        false,
                        settings.folder().toString(),
                        settings.why(),
                        List.of(),
                        List.of(),
                        general));
    }

    /** Publishes that the folder waits for something. */
    void waiting(DeploySettings settings, String what) {
        List<Finding> general =
                List.of(
                        finding(
                                Severity.WARNING,
                                "The drop-in folder waits for " + what + ".",
                                "Until then nothing changes."));
        publish(view.with(settings, general));
    }

    /** Publishes that the folder cannot be used. */
    void unusable(DeploySettings settings, UnusableFileException problem) {
        publish(
                view.with(
                        settings,
                        List.of(finding(Severity.ERROR, problem.getMessage(), problem.remedy()))));
    }

    /** Publishes the state of every file. */
    void report(
            DeploySettings settings,
            DropListing listing,
            Planner.Plan plan,
            PinSet pins,
            String waitsFor) {
        List<Row> rows = new ArrayList<>();
        plan.rows().values().forEach(row -> rows.add(live(row, waitsFor)));
        listing.misnamed().forEach(name -> rows.add(misnamed(name)));
        listing.configurations().forEach(name -> rows.add(configuration(name)));
        List<Finding> general = new ArrayList<>();
        for (String line : pins.unreadable()) {
            general.add(
                    finding(
                            Severity.ERROR,
                            "A line of pins is not a pin: "
                                    + line.replaceAll("\\p{Cntrl}", "?")
                                    + ".",
                            "Write sha256:DIGEST or signer:DIGEST, with 64 hexadecimal digits."));
        }
        publish(
                new DeployView(
                        true, settings.folder().toString(), "", rows, pins.entries(), general));
    }

    private Row live(Row row, String waitsFor) {
        if (row.state() == Row.State.WAITING && !waitsFor.isEmpty()) {
            return row.as(Row.State.WAITING, "It waits for " + waitsFor + ".", "");
        }
        if (row.state() != Row.State.ACTIVE) {
            return row;
        }
        String name = row.facts().orElseThrow().symbolicName();
        Optional<Bundle> down = installer.find(name).filter(b -> b.getState() != Bundle.ACTIVE);
        return down.isEmpty()
                ? row
                : row.as(
                        Row.State.INACTIVE,
                        name + " is not active: " + installer.lack(down.get()) + ".",
                        "Install what it needs, or start it: palyra bundle start "
                                + down.get().getBundleId()
                                + ".");
    }

    private static Row misnamed(String name) {
        return new Row(
                name,
                Row.State.REFUSED,
                Optional.empty(),
                Optional.empty(),
                "Its name is not usable.",
                "Rename it; letters, digits and . _ + - can be used.");
    }

    private static Row configuration(String name) {
        return new Row(
                name,
                Row.State.CONFIGURATION,
                Optional.empty(),
                Optional.empty(),
                "See palyra config list for its state.",
                "");
    }

    private void publish(DeployView next) {
        DeployView before = view;
        view = next;
        if (!before.equals(next)) {
            logChanges(before.findings(), next.findings());
        }
    }

    /** Logs new and solved problems, so that each is in the log once. */
    private void logChanges(Collection<Finding> before, Collection<Finding> now) {
        Set<Finding> known = new HashSet<>(before);
        for (Finding finding : now) {
            if (!known.remove(finding) && finding.severity() != Severity.INFO) {
                refused.incrementAndGet();
                LOG.warn("{} {}", finding.message(), finding.remedy());
            }
        }
        known.stream()
                .filter(finding -> finding.severity() != Severity.INFO)
                .forEach(finding -> LOG.info("Solved: {}", finding.message()));
    }
}
