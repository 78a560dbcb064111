package palyra.gateway.internal.command;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetRow;
import palyra.gateway.internal.budget.BudgetText;
import palyra.gateway.internal.settings.Budget;

/** Budgets and their accounts as people and programs see them. */
final class BudgetLines {
    private static final String IN_FORCE = "in force";
    private static final List<String> BUDGETS = List.of("Budget", "Who", "Per", "Cap", "State");
    private static final List<String> ACCOUNTS =
            List.of("Budget", "Subject", "Period", "Used", "Set aside", "Cap", "Percent");
    private static final List<String> BUDGET_VALUES =
            List.of(
                    "Budget",
                    "Who",
                    "Per",
                    "Max tokens",
                    "Max cost micros",
                    "Max calls",
                    "Currency",
                    "State");
    private static final List<String> ACCOUNT_VALUES =
            List.of(
                    "Budget",
                    "Subject",
                    "Period",
                    "Used tokens",
                    "Used cost micros",
                    "Used calls",
                    "Set aside tokens",
                    "Set aside cost micros",
                    "Set aside calls",
                    "Max tokens",
                    "Max cost micros",
                    "Max calls",
                    "Currency",
                    "Percent");

    private BudgetLines() {}

    static List<String> budgetHeadings(boolean json) {
        return json ? BUDGET_VALUES : BUDGETS;
    }

    static List<String> accountHeadings(boolean json) {
        return json ? ACCOUNT_VALUES : ACCOUNTS;
    }

    static List<?> budget(Budget budget, String currency, boolean json) {
        List<Object> row = new ArrayList<>();
        row.add(budget.name());
        row.add(budget.who());
        row.add(budget.per().name().toLowerCase(Locale.ROOT));
        if (json) {
            addCap(row, budget.cap());
            row.add(currency);
        } else {
            row.add(BudgetText.cap(budget.cap(), currency));
        }
        row.add(IN_FORCE);
        return row;
    }

    static List<?> broken(String name, String why, boolean json) {
        List<Object> row = new ArrayList<>(Collections.nCopies(budgetHeadings(json).size(), null));
        row.set(0, name);
        row.set(row.size() - 1, "cannot be used: " + why);
        return row;
    }

    static List<?> account(BudgetRow account, String currency, boolean json) {
        List<Object> row = new ArrayList<>();
        row.add(account.budget());
        row.add(account.subject());
        row.add(account.period());
        if (json) {
            add(row, account.used());
            add(row, account.reserved());
            addCap(row, account.cap());
            row.add(currency);
        } else {
            row.add(BudgetText.amount(account.used(), currency));
            row.add(BudgetText.amount(account.reserved(), currency));
            row.add(BudgetText.cap(account.cap(), currency));
        }
        row.add(account.percent());
        return row;
    }

    private static void add(List<Object> row, BudgetAmount amount) {
        row.add(amount.tokens());
        row.add(amount.costMicros());
        row.add(amount.calls());
    }

    /** Adds null for what the budget does not limit. */
    private static void addCap(List<Object> row, BudgetAmount cap) {
        for (long most : new long[] {cap.tokens(), cap.costMicros(), cap.calls()}) {
            row.add(most > 0 ? most : null);
        }
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
