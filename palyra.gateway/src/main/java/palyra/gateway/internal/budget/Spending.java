package palyra.gateway.internal.budget;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Spend;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetClaim;
import palyra.api.core.journal.BudgetRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.model.ModelCaller;
import palyra.gateway.internal.settings.Budget;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.shared.gate.Gate;
import palyra.shared.json.Jcs;

/**
 * Spending in budgets: reports each threshold of an account once, and gives policies the spent
 * amounts. Thread-safe.
 */
public final class Spending {
    private static final Logger LOG = LoggerFactory.getLogger(Spending.class);
    private static final int[] THRESHOLDS = {50, 80, 100};
    private static final int PAGE = 500;

    private final Gate<Journal> journal;
    private final Supplier<ModelSettings> settings;
    private final BudgetMeter meter;

    /** Creates it. */
    public Spending(Gate<Journal> journal, Supplier<ModelSettings> settings, BudgetMeter meter) {
        this.journal = journal;
        this.settings = settings;
        this.meter = meter;
    }

    /** Returns the present configuration. */
    public ModelSettings settings() {
        return settings.get();
    }

    /**
     * Returns the spending in the fullest of the accounts in which a call of this run is counted;
     * nothing when no budget applies.
     *
     * @throws PalyraException when the journal cannot be read
     */
    public Spend spend(ModelCaller caller, String runId) {
        Instant now = Instant.now();
        TreeSet<String> places = new TreeSet<>();
        for (Budget budget : settings.get().budgets()) {
            budget.subject(caller)
                    .ifPresent(subject -> places.add(budget.period(runId, now) + "\n" + subject));
        }
        Spend tightest = Spend.NONE;
        for (String place : places) {
            int at = place.indexOf('\n');
            for (BudgetRow row :
                    journal.call(
                            j ->
                                    j.budgets(
                                            place.substring(0, at),
                                            place.substring(at + 1),
                                            0,
                                            PAGE))) {
                if (row.percent() >= tightest.percent()) {
                    tightest = of(row);
                }
            }
        }
        return tightest;
    }

    private static Spend of(BudgetRow row) {
        BudgetAmount all = row.used().plus(row.reserved());
        return new Spend(all.tokens(), all.costMicros(), all.calls(), row.percent());
    }

    /** Looks at the accounts of an attempt that was settled, and tells people what there is. */
    public void settled(Reservation reservation) {
        for (BudgetClaim claim : reservation.claims()) {
            try {
                row(claim).ifPresent(this::check);
            } catch (PalyraException e) {
                // the next settlement or start looks again
                LOG.debug("Budget {} is looked at later: {}", claim.budget(), e.getMessage());
            }
        }
    }

    private Optional<BudgetRow> row(BudgetClaim claim) {
        return journal.call(j -> j.budgets(claim.period(), claim.subject(), 0, PAGE)).stream()
                .filter(row -> row.budget().equals(claim.budget()))
                .findFirst();
    }

    /** A call was refused for want of room: that is the last threshold. */
    public void refused(BudgetClaim claim) {
        try {
            BudgetRow none =
                    new BudgetRow(
                            1,
                            claim.budget(),
                            claim.subject(),
                            claim.period(),
                            claim.cap(),
                            BudgetAmount.NONE,
                            BudgetAmount.NONE,
                            0,
                            0);
            notice(row(claim).orElse(none), 100);
        } catch (PalyraException e) {
            LOG.debug("The notice about a full budget is written later: {}", e.getMessage());
        }
    }

    /** Looks at all accounts of today; for the start, after which nothing may come to them. */
    public void lookAtToday() {
        if (settings.get().budgets().isEmpty()) {
            return;
        }
        String today = Budget.day(Instant.now());
        List<BudgetRow> page;
        long after = 0;
        do {
            long from = after;
            page = journal.call(j -> j.budgets(today, "", from, PAGE));
            for (BudgetRow row : page) {
                after = row.no();
                meter.known(row);
                check(row);
            }
        } while (page.size() == PAGE);
    }

    private void check(BudgetRow row) {
        long percent = row.used().percentOf(row.cap());
        meter.known(row);
        int reached = 0;
        for (int threshold : THRESHOLDS) {
            if (percent >= threshold) {
                reached = threshold;
            }
        }
        if (reached > row.warned()) {
            notice(row, reached);
        }
    }

    /** Tells of every threshold up to {@code reached} that people were not told of. */
    private void notice(BudgetRow row, int reached) {
        for (int threshold : THRESHOLDS) {
            if (threshold > row.warned() && threshold <= reached) {
                tellOnce(row, threshold);
            }
        }
    }

    private void tellOnce(BudgetRow row, int threshold) {
        List<Operation> operations = new ArrayList<>();
        operations.add(
                new Operation.NoteBudget(
                        row.budget(), row.subject(), row.period(), row.cap(), threshold));
        operations.add(
                new Operation.Append("journal", "budget_warning", 1, payload(row, threshold)));
        try {
            journal.run(j -> j.commit(Unit.of(operations.toArray(Operation[]::new))));
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CONFLICT) {
                return; // another run told of it
            }
            throw e;
        }
        meter.warned(row, threshold);
        LOG.warn(
                "Budget {} of {} for {} has reached {} % of its cap",
                row.budget(), row.subject(), row.period(), threshold);
    }

    private static byte[] payload(BudgetRow row, int threshold) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("budget", row.budget())
                .put("subject", row.subject())
                .put("period", row.period())
                .put("threshold", threshold);
        node.set("used", amount(row.used()));
        node.set("cap", amount(row.cap()));
        return Jcs.bytes(node);
    }

    private static ObjectNode amount(BudgetAmount amount) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("tokens", number(amount.tokens()))
                .put("cost_micros", number(amount.costMicros()))
                .put("calls", number(amount.calls()));
    }

    /** Numbers above 2^53 have no place in canonical JSON; no account gets there. */
    private static long number(long value) {
        return Math.min(value, (1L << 53) - 1);
    }
}
