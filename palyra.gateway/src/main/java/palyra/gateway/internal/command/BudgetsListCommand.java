package palyra.gateway.internal.command;

import java.util.ArrayList;
import java.util.List;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.gateway.internal.settings.ModelSettings;
import palyra.gateway.internal.settings.Setting;

/** {@code budgets list}. */
final class BudgetsListCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "budgets list",
                    "Lists the budgets for models",
                    "A budget is a file conf/palyra.gateway.budget~NAME.json. Exit code 1: one of"
                            + " them cannot be used, so no model is asked.",
                    List.of(),
                    List.of(),
                    CommandServices.READ,
                    false);

    private final CommandServices services;

    BudgetsListCommand(CommandServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        ModelSettings now = services.settings().now();
        boolean json = context.json();
        List<List<?>> rows = new ArrayList<>();
        now.budgets()
                .forEach(budget -> rows.add(BudgetLines.budget(budget, services.currency(), json)));
        boolean broken = false;
        for (Setting.Broken one : now.broken()) {
            if (one.kind().equals("budget")) {
                broken = true;
                rows.add(BudgetLines.broken(one.name(), one.why(), json));
            }
        }
        context.output().table(BudgetLines.budgetHeadings(json), rows);
        return broken ? ExitCodes.FAILED : ExitCodes.OK;
    }
}
