package palyra.gateway.internal.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import palyra.api.core.journal.BudgetRow;
import palyra.gateway.internal.budget.BudgetText;
import palyra.gateway.internal.settings.Budget;

/** Budgets and their accounts as people and programs see them. */
final class BudgetLines {
    static final List<String> BUDGETS = List.of("Budget", "Who", "Per", "Cap", "State");
    static final List<String> ACCOUNTS =
            List.of("Budget", "Subject", "Period", "Used", "Set aside", "Cap", "Percent");

    private BudgetLines() {}

    static List<String> budget(Budget budget, String currency) {
        return List.of(
                budget.name(),
                budget.who(),
                budget.per().name().toLowerCase(Locale.ROOT),
                BudgetText.cap(budget.cap(), currency),
                "in force");
    }

    static List<String> account(BudgetRow row, String currency) {
        return List.of(
                row.budget(),
                row.subject(),
                row.period(),
                BudgetText.amount(row.used(), currency),
                BudgetText.amount(row.reserved(), currency),
                BudgetText.cap(row.cap(), currency),
                Long.toString(row.percent()));
    }

    static Map<String, Object> fields(Budget budget, String currency) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("budget", budget.name());
        fields.put("who", budget.who());
        fields.put("per", budget.per().name().toLowerCase(Locale.ROOT));
        fields.put("maxTokens", budget.cap().tokens());
        fields.put("maxCostMicros", budget.cap().costMicros());
        fields.put("maxCalls", budget.cap().calls());
        fields.put("currency", currency);
        return fields;
    }
}
