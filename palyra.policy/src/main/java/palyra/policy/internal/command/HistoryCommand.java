package palyra.policy.internal.command;

import java.util.List;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.core.policy.PolicySetView;

/** {@code policy history}: the sets that were in force. */
final class HistoryCommand implements Command {
    private static final int USUAL = 20;
    private static final int MOST = 1_000;
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy history",
                    "Lists the policy sets that were in force, newest first",
                    "",
                    List.of(
                            OptionSpec.value(
                                    "limit", "N", "How many at most, " + USUAL + " unless given")),
                    List.of(),
                    PolicyServices.READ,
                    false);

    private final PolicyServices services;

    HistoryCommand(PolicyServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        int limit = context.arguments().number("limit", USUAL, 1, MOST);
        String inForce = services.sets().status().current().map(PolicySetView::sha256).orElse("");
        context.output()
                .table(
                        List.of(
                                "Sha256",
                                "In force",
                                "Loaded",
                                "By",
                                "Origin",
                                "Policies",
                                "Files"),
                        services.sets().history(limit).stream()
                                .map(view -> row(view, inForce, context.json()))
                                .toList());
        return ExitCodes.OK;
    }

    private static List<?> row(PolicySetView view, String inForce, boolean whole) {
        return List.of(
                whole ? view.sha256() : PolicyServices.brief(view.sha256()),
                view.sha256().equals(inForce),
                ReportView.time(view.loadedAtMillis()),
                view.loadedBy(),
                view.origin(),
                view.policies(),
                view.files());
    }
}
