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
 * Publishes how it stands and logs what is new. The view and the counters are for any thread,
 * everything else for one.
 */
final class Reporter {
    private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);
    private static final long SLOW_MILLIS = 10_000;

    private final BundleWork work;
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private volatile DeployView view = DeployView.NOTHING;
    private volatile Doing doing;

    Reporter(BundleWork work) {
        this.work = work;
    }

    /** Something under way. */
    private record Doing(String what, long sinceNanos) {}

    DeployView view() {
        return view;
    }

    /** Returns how many changes worked out. */
    long done() {
        return done.get();
    }

    /** Returns how many changes did not. */
    long failed() {
        return failed.get();
    }

    /** Returns how many refusals came up. */
    long refused() {
        return refused.get();
    }

    void count(Outcome outcome) {
        (outcome.isDone() ? done : failed).incrementAndGet();
    }

    void begins(String what) {
        doing = new Doing(what, System.nanoTime());
    }

    void ends() {
        doing = null;
    }

    /** Returns what takes unusually long right now. */
    Optional<Finding> slow() {
        Doing now = doing;
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
                                "It is undone by itself when the start timeout has passed."))
                : Optional.empty();
    }

    private static Finding finding(Severity severity, String message, String remedy) {
        return new Finding(severity, DeployView.AREA, message, remedy);
    }

    /** The folder is not watched, and nothing of it is in. */
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

    /** Nothing can be decided or done now. */
    void waiting(DeploySettings settings, String what) {
        List<Finding> general =
                List.of(
                        finding(
                                Severity.WARNING,
                                "The drop-in folder waits for " + what + ".",
                                "Until then everything stays as it is."));
        publish(view.with(settings, general));
    }

    /** The folder itself cannot be used. */
    void unusable(DeploySettings settings, UnusableException problem) {
        publish(
                view.with(
                        settings,
                        List.of(finding(Severity.ERROR, problem.getMessage(), problem.remedy()))));
    }

    /** Tells how every file stands. */
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
                            "A line of pins is no pin: " + line.replaceAll("\\p{Cntrl}", "?") + ".",
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
        Optional<Bundle> down = work.find(name).filter(b -> b.getState() != Bundle.ACTIVE);
        return down.isEmpty()
                ? row
                : row.as(
                        Row.State.INACTIVE,
                        name + " is not active: " + work.lack(down.get()) + ".",
                        "Install what it lacks, or start it: palyra bundle start "
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
                "palyra config list says whether it is in force.",
                "");
    }

    private void publish(DeployView next) {
        DeployView before = view;
        view = next;
        if (!before.equals(next)) {
            tell(before.findings(), next.findings());
        }
    }

    /** Logs what is new and what is over, so that a fault stands in the log once. */
    private void tell(Collection<Finding> before, Collection<Finding> now) {
        Set<Finding> known = new HashSet<>(before);
        for (Finding finding : now) {
            if (!known.remove(finding) && finding.severity() != Severity.INFO) {
                refused.incrementAndGet();
                LOG.warn("{} {}", finding.message(), finding.remedy());
            }
        }
        known.stream()
                .filter(finding -> finding.severity() != Severity.INFO)
                .forEach(finding -> LOG.info("No longer so: {}", finding.message()));
    }
}
