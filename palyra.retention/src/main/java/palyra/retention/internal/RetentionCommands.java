package palyra.retention.internal;

import java.util.List;
import palyra.api.command.Command;

/** The commands of retention. */
final class RetentionCommands {
    static final String READ = "retention.read";
    static final String RUN = "retention.run";

    private RetentionCommands() {}

    static List<Command> all(Retention retention, int sweepMinutes) {
        return List.of(
                new ShowCommand(retention, sweepMinutes),
                new PlanCommand(retention),
                new RunCommand(retention));
    }
}
