package palyra.policy.internal.command;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.policy.internal.cedar.Policy;
import palyra.policy.internal.set.Snapshot;

/** {@code policy list}: the policies of a set. */
final class ListCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy list",
                    "Lists the policies in force and where they stand",
                    "",
                    List.of(PathArguments.SET),
                    List.of(),
                    PolicyServices.READ,
                    false);

    private final PolicyServices services;

    ListCommand(PolicyServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        Snapshot snapshot =
                services.snapshot(
                        context.arguments().option("set").map(Digest::beginning).orElse(""));
        context.output()
                .table(
                        List.of("Policy", "Effect", "Place", "Approval", "Reason"),
                        snapshot.policies().policies().stream()
                                .map(policy -> row(snapshot, policy))
                                .toList());
        context.output().note("Set " + PolicyServices.brief(snapshot.view().sha256()) + ".");
        return ExitCodes.OK;
    }

    private static List<String> row(Snapshot snapshot, Policy policy) {
        Map<String, String> annotations = policy.annotations();
        return List.of(
                snapshot.name(policy),
                effect(policy),
                place(snapshot, policy.id()),
                annotations.containsKey("approval") ? "can be approved" : "",
                annotations.getOrDefault("reason", ""));
    }

    static String effect(Policy policy) {
        return policy.effect().name().toLowerCase(Locale.ROOT);
    }

    /** Returns file and line. */
    static String place(Snapshot snapshot, String policyId) {
        return Optional.ofNullable(snapshot.origins().get(policyId))
                .map(origin -> origin.file() + ":" + origin.line())
                .orElse("");
    }
}
