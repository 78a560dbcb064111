package palyra.gateway.internal.command;

import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.gateway.internal.settings.Budget;

/** {@code budgets show BUDGET}. */
final class BudgetsShowCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "budgets show",
                    "Shows a budget and its spending of today",
                    "",
                    List.of(),
                    List.of(PositionalSpec.required("BUDGET", "Name of a budget")),
                    CommandServices.READ,
                    false);

    private final CommandServices services;

    BudgetsShowCommand(CommandServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        String name = context.arguments().positionals().get(0);
        Budget budget =
                services.settings().now().budgets().stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> unknown(name));
        Map<String, Object> fields = BudgetLines.fields(budget, services.currency());
        context.output().fields(fields);
        context.output()
                .table(
                        BudgetLines.accountHeadings(context.json()),
                        services.accountsOfToday().stream()
                                .filter(row -> row.budget().equals(name))
                                .map(
                                        row ->
                                                BudgetLines.account(
                                                        row, services.currency(), context.json()))
                                .toList());
        return ExitCodes.OK;
    }

    private PalyraException unknown(String name) {
        return new PalyraException(
                ErrorCode.NOT_FOUND,
                "not found: budget '"
                        + (name.length() <= 64 ? name : name.substring(0, 64) + "…")
                        + "'"
                        + services.settings()
                                .now()
                                .whyBroken("budget", name)
                                .map(why -> ", because it cannot be used: " + why)
                                .orElse("; list them with palyra budgets list."));
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return index != 0
                ? List.of()
                : services.settings().now().budgets().stream()
                        .map(Budget::name)
                        .filter(budget -> budget.startsWith(prefix))
                        .toList();
    }
}
