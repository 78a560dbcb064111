package palyra.gateway.internal.budget;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.core.journal.BudgetClaim;
import palyra.gateway.internal.settings.Money;

/** Amounts and refusals as text for people. */
public final class BudgetText {
    private BudgetText() {}

    /** Returns an amount, such as {@code 1200 tokens, 0.35 USD, 4 calls}. */
    public static String amount(BudgetAmount amount, String currency) {
        return amount.tokens()
                + " tokens, "
                + Money.text(amount.costMicros())
                + " "
                + currency
                + ", "
                + amount.calls()
                + " calls";
    }

    /** Returns the caps, such as {@code 5.00 USD}. */
    public static String cap(BudgetAmount cap, String currency) {
        List<String> parts = new ArrayList<>();
        if (cap.tokens() > 0) {
            parts.add(cap.tokens() + " tokens");
        }
        if (cap.costMicros() > 0) {
            parts.add(Money.text(cap.costMicros()) + " " + currency);
        }
        if (cap.calls() > 0) {
            parts.add(cap.calls() + " calls");
        }
        return String.join(", ", parts);
    }

    /** Returns the sentence of a run that is stopped because a budget has no room. */
    public static String refusal(BudgetClaim claim, String currency) {
        return "Budget '"
                + claim.budget()
                + "' of "
                + claim.subject()
                + " has no room for another call of the model: it takes "
                + cap(claim.cap(), currency)
                + (claim.period().startsWith("run:") ? " for each run" : " a day")
                + ", and up to "
                + amount(claim.amount(), currency)
                + " would be added. "
                + opens(claim.period());
    }

    private static String opens(String period) {
        return period.startsWith("run:")
                ? "Another run has a new one."
                : "It opens again at " + LocalDate.parse(period).plusDays(1) + "T00:00Z.";
    }
}
