package palyra.gateway.internal.settings;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import palyra.api.Require;
import palyra.api.core.journal.BudgetAmount;
import palyra.api.model.ModelCaller;

/**
 * A limit on the tokens, calls or cost of models.
 *
 * @param who {@code all}, for one account that all runs share, or {@code principal:}, {@code
 *     agent:} or {@code channel:} and a pattern in which a star matches any text: each that fits
 *     has an account
 * @param per whether accounts are for a run or for a day
 * @param cap most that may be spent; a 0 in it caps nothing
 */
public record Budget(String name, String who, Per per, BudgetAmount cap) implements Setting {
    /** What of accounts are kept for. */
    public enum Per {
        /** One run. */
        RUN,
        /** One day by the calendar of UTC. */
        DAY
    }

    private static final String ALL = "all";

    /** Checks. */
    public Budget {
        Require.text(name, "name of a budget");
        Require.that(
                ALL.equals(who) || who.matches("(principal|agent|channel):\\S{1,200}"),
                "budget '"
                        + name
                        + "': who '"
                        + who
                        + "' is not usable: all, or principal:, agent: or channel: and a name, in"
                        + " which * matches any text");
        Require.present(per, "period of a budget");
        Require.that(
                cap.tokens() > 0 || cap.costMicros() > 0 || cap.calls() > 0,
                "budget '" + name + "' caps nothing; give maxTokens, maxCost or maxCalls");
    }

    /** Returns whose account a caller's turn is counted in; empty when the budget is not his. */
    public Optional<String> subject(ModelCaller caller) {
        if (who.equals(ALL)) {
            return Optional.of(ALL);
        }
        String kind = who.substring(0, who.indexOf(':') + 1);
        String id =
                switch (kind) {
                    case "principal:" -> caller.principal();
                    case "agent:" -> caller.agentId();
                    default -> caller.channel();
                };
        return !id.isEmpty() && Glob.fits(who.substring(kind.length()), id)
                ? Optional.of(kind + id)
                : Optional.empty();
    }

    /** Returns the name of the period of a run at a time. */
    public String period(String runId, Instant at) {
        return per == Per.RUN ? "run:" + runId : day(at);
    }

    /** Returns the day of a time, by the calendar of UTC. */
    public static String day(Instant at) {
        return at.atZone(ZoneOffset.UTC).toLocalDate().toString();
    }

    /** Returns whether it counts money. */
    public boolean countsMoney() {
        return cap.costMicros() > 0;
    }
}
