package palyra.gateway.internal.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import palyra.api.core.journal.BudgetRow;
import palyra.api.core.journal.Journal;
import palyra.gateway.internal.settings.Budget;
import palyra.gateway.internal.settings.ModelTarget;
import palyra.gateway.internal.settings.SettingsSeam;
import palyra.shared.gate.Gate;

/**
 * What the commands look into.
 *
 * @param present whether the provider of a model is there
 * @param state what the provider of a model says of itself, see {@code ProviderState}; empty when
 *     it says nothing
 * @param providers ids of the model providers that are there, sorted
 * @param currency of prices and budgets
 */
record CommandServices(
        SettingsSeam settings,
        Gate<Journal> journal,
        Predicate<ModelTarget> present,
        Function<ModelTarget, Map<String, String>> state,
        Supplier<List<String>> providers,
        String currency) {
    static final String READ = "config.read";
    private static final int PAGE = 500;
    private static final int MOST = 10_000;

    /** Returns accounts of today, and of runs that were changed today; oldest first. */
    List<BudgetRow> accountsOfToday() {
        String today = Budget.day(Instant.now());
        List<BudgetRow> rows = new ArrayList<>();
        List<BudgetRow> page;
        long after = 0;
        do {
            long from = after;
            page = journal.call(j -> j.budgets("", "", from, PAGE));
            for (BudgetRow row : page) {
                after = row.no();
                if (Budget.day(Instant.ofEpochMilli(row.updatedAtMillis())).equals(today)) {
                    rows.add(row);
                }
            }
        } while (page.size() == PAGE && rows.size() < MOST);
        return rows;
    }
}
