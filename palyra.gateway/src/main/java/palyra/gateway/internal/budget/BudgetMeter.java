package palyra.gateway.internal.budget;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.core.journal.BudgetRow;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Metric;
import palyra.gateway.internal.settings.Budget;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.gateway.internal.settings.Setting;

/**
 * Budgets in doctor and metrics: the accounts seen today, a bounded number of them. Thread-safe.
 */
public final class BudgetMeter {
    private static final int MOST = 500;

    private record Known(String budget, String subject, String period, String day, long percent) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Known> known = new LinkedHashMap<>(); // guarded by lock
    private final Map<Integer, Long> warnings = new TreeMap<>(); // guarded by lock

    void known(BudgetRow row) {
        note(row, row.used().percentOf(row.cap()));
    }

    void warned(BudgetRow row, int threshold) {
        note(row, Math.max(threshold, row.used().percentOf(row.cap())));
        lock.lock();
        try {
            warnings.merge(threshold, 1L, Long::sum);
        } finally {
            lock.unlock();
        }
    }

    private void note(BudgetRow row, long percent) {
        String key = row.period() + "\n" + row.subject() + "\n" + row.budget();
        String day = Budget.day(Instant.now());
        lock.lock();
        try {
            Known before = known.remove(key);
            long most = before == null ? percent : Math.max(before.percent(), percent);
            known.put(key, new Known(row.budget(), row.subject(), row.period(), day, most));
            known.values().removeIf(one -> !one.day().equals(day));
            if (known.size() > MOST) {
                known.remove(known.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    private Collection<Known> today() {
        String day = Budget.day(Instant.now());
        lock.lock();
        try {
            return known.values().stream().filter(one -> one.day().equals(day)).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Returns what operators should know, worst first. */
    public List<Finding> findings(ModelSettings settings) {
        List<Finding> findings = new ArrayList<>();
        for (Setting.Broken broken : settings.broken()) {
            findings.add(
                    new Finding(
                            Finding.Severity.ERROR,
                            "models",
                            "The "
                                    + broken.kind()
                                    + " '"
                                    + broken.name()
                                    + "' cannot be used: "
                                    + broken.why(),
                            "Fix its file in conf."));
        }
        today().stream()
                .filter(one -> one.percent() >= 50)
                .sorted((a, b) -> Long.compare(b.percent(), a.percent()))
                .forEach(one -> findings.add(finding(one)));
        return findings;
    }

    private static Finding finding(Known one) {
        return new Finding(
                one.percent() >= 80 ? Finding.Severity.WARNING : Finding.Severity.INFO,
                "budgets",
                "Budget '"
                        + one.budget()
                        + "' of "
                        + one.subject()
                        + " for "
                        + one.period()
                        + " has reached "
                        + one.percent()
                        + " % of its cap.",
                one.percent() >= 100
                        ? "Runs that it applies to fail until it opens again; raise its cap if they"
                                + " should not."
                        : "");
    }

    /** Returns the fullest account of each budget, and how often people were told. */
    public List<Metric> metrics() {
        Map<String, Long> fullest = new TreeMap<>();
        today().forEach(one -> fullest.merge(one.budget(), one.percent(), Math::max));
        List<Metric> metrics = new ArrayList<>();
        fullest.forEach(
                (budget, percent) ->
                        metrics.add(
                                new Metric(
                                        "palyra_budget_percent",
                                        "Use of the fullest account of a budget today, in percent.",
                                        Metric.Type.GAUGE,
                                        Map.of("budget", budget),
                                        percent)));
        lock.lock();
        try {
            warnings.forEach(
                    (threshold, count) ->
                            metrics.add(
                                    new Metric(
                                            "palyra_budget_warnings_total",
                                            "Accounts of budgets that reached a threshold.",
                                            Metric.Type.COUNTER,
                                            Map.of("threshold", String.valueOf(threshold)),
                                            count)));
        } finally {
            lock.unlock();
        }
        return metrics;
    }
}
