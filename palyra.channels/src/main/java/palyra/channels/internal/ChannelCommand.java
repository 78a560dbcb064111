package palyra.channels.internal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.shared.approval.PairingApprovals;

/** One command of channels: what it is called, and what it does. */
record ChannelCommand(CommandSpec spec, Consumer<CommandContext> body) implements Command {
    static final String MANAGE = "channel.manage";
    static final String PAIR = PairingApprovals.ACTION;

    /** Most rows of a listing. */
    static final int MOST = 1_000;

    static final PositionalSpec CONNECTOR =
            PositionalSpec.required("CONNECTOR", "Connector, as KIND:ACCOUNT");
    static final OptionSpec LIMIT =
            OptionSpec.value("limit", "N", "At most this many, 1 to 1000; 50 by default");
    private static final String READ = "channel.read";

    @Override
    public int run(CommandContext context) {
        body.accept(context);
        return ExitCodes.OK;
    }

    static Command read(
            String name,
            String summary,
            String details,
            List<OptionSpec> options,
            List<PositionalSpec> positionals,
            Consumer<CommandContext> body) {
        return new ChannelCommand(
                new CommandSpec(name, summary, details, options, positionals, READ, false), body);
    }

    static Command changing(
            String action,
            String name,
            String summary,
            List<OptionSpec> options,
            List<PositionalSpec> positionals,
            Consumer<CommandContext> body) {
        return new ChannelCommand(
                new CommandSpec(name, summary, "", options, positionals, action, true), body);
    }

    /** Returns a time for people; empty for 0. */
    static String time(long millis) {
        return millis == 0
                ? ""
                : Instant.ofEpochMilli(millis).truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
