package palyra.shell.internal.commands;

import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.core.gateway.Intake;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.InboxRow;
import palyra.api.run.RunView;
import palyra.shared.run.RejectedMessages;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Seams;

/** {@code runs}: the newest runs. */
@Component(service = Command.class)
public final class RunsCommand extends ShellCommand implements AuthorizesEachResource {
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 500;
    private static final int MOST_MESSAGES = 20;

    private final Seams seams;

    @Activate
    public RunsCommand(@Reference Seams seams) {
        super(
                spec(
                        "runs",
                        "Lists runs, newest first.",
                        "",
                        "run.list",
                        List.of(
                                OptionSpec.value("session", "ID", "Only runs of this session"),
                                OptionSpec.value("before", "RUN", "Only runs older than this one"),
                                OptionSpec.value("limit", "N", "How many, 1 to 500 (20)")),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        CommandArguments given = context.arguments();
        int limit = given.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
        String session = given.option("session").map(id -> Words.id(id, "session id")).orElse("");
        String before = given.option("before").map(id -> Words.id(id, "run id")).orElse("");
        List<RunView> found =
                seams.runs().call(runs -> runs.runs(context.principal(), session, before, limit));
        context.output()
                .table(
                        List.of("Run", "State", "Created", "Agent", "Principal", "Reason"),
                        found.stream().map(RunsCommand::row).toList());
        if (session.isEmpty() && before.isEmpty()) {
            tellMessages(context);
            tellRejected(context);
            tellLosses(context);
        }
        return ExitCodes.OK;
    }

    /** Messages that became no run yet, because that failed again and again. */
    private void tellMessages(CommandContext context) {
        Seams.ifPresent(seams.intake(), Intake::setbacks).orElse(List.of()).stream()
                .filter(one -> one.kind() == Setback.Kind.MESSAGE && mayKnow(context, one.id()))
                .limit(MOST_MESSAGES)
                .forEach(one -> context.output().note(one.sentence()));
    }

    /** Messages that were accepted and will never become a run. */
    private void tellRejected(CommandContext context) {
        long now = System.currentTimeMillis();
        Seams.ifPresent(
                        seams.journal(),
                        journal -> RejectedMessages.ofLastDay(journal, now, MOST_MESSAGES))
                .orElse(List.of())
                .stream()
                .filter(row -> mayList(context, row.principal()))
                .forEach(row -> context.output().note(RejectedMessages.sentence(row)));
    }

    /** Runs that cannot be in the list because their row is lost. */
    private void tellLosses(CommandContext context) {
        Seams.ifPresent(seams.journal(), journal -> journal.losses("")).orElse(List.of()).stream()
                .filter(loss -> mayList(context, loss.principal()))
                .limit(MOST_MESSAGES)
                .forEach(loss -> context.output().note(loss.sentence()));
    }

    /** Who may list a run of its sender may know of a message. */
    private boolean mayKnow(CommandContext context, String messageId) {
        try {
            Optional<InboxRow> row = seams.journal().call(journal -> journal.inbox(messageId));
            return row.isPresent() && mayList(context, row.get().principal());
        } catch (PalyraException e) {
            return false;
        }
    }

    private boolean mayList(CommandContext context, String owner) {
        try {
            TapeStream.ask(seams, context, "run.list", "", owner);
            return true;
        } catch (PalyraException e) {
            return false;
        }
    }

    private static List<String> row(RunView run) {
        return List.of(
                run.runId(),
                run.state().name(),
                Words.time(run.createdAtMillis()),
                run.agentId(),
                run.principal(),
                run.reason());
    }
}
