package palyra.shell.internal.commands;

import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.run.RunEvent;
import palyra.api.run.RunState;
import palyra.shared.tape.TapeCodec;
import palyra.shell.internal.approvals.TerminalApprovals;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code run follow RUN}: everything of a run as it happens, until it ends. */
@Component(service = Command.class)
public final class RunFollowCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public RunFollowCommand(@Reference Seams seams) {
        super(
                spec(
                        "run follow",
                        "Follows a run to its end; the run goes on when you stop following.",
                        """
                        A question that waits for a person is asked here, too, at a terminal.
                        With --json each event is one object on a line of its own.\
                        """,
                        "run.read",
                        List.of(OptionSpec.value("after", "SEQ", "Begin after this record (0)")),
                        List.of(RunIds.RUN)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) throws InterruptedException {
        int after = context.arguments().number("after", 0, 0, Integer.MAX_VALUE);
        String runId = RunIds.of(context, seams);
        Optional<RunEvent.Ended> end;
        if (context.json()) {
            end = stream(context, runId, after, new JsonView(context)).follow(0);
        } else {
            PersonView view = new PersonView(context);
            try (TerminalApprovals approvals = new TerminalApprovals(seams, context, view)) {
                approvals.showPending(runId);
                view.ask(approvals);
                end = stream(context, runId, after, view).follow(0);
            }
        }
        RunState state = end.map(RunEvent.Ended::state).orElse(RunState.FAILED);
        if (context.json()) {
            context.output()
                    .fields(
                            Fields.of(
                                    "event", "ended",
                                    "state", state.name(),
                                    "reason", end.map(RunEvent.Ended::reason).orElse("")));
        }
        return state == RunState.SUCCEEDED ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private RunStream stream(CommandContext context, String runId, int after, RunStream.View view) {
        return new RunStream(seams, context.principal(), runId, after, view);
    }

    private record JsonView(CommandContext context) implements RunStream.View {
        @Override
        public void text(int turn, boolean thought, String text) {
            context.output()
                    .fields(
                            Fields.of(
                                    "event", thought ? "thought" : "text",
                                    "turn", turn,
                                    "text", text));
        }

        @Override
        public void dropped(int turn, String reason) {
            context.output().fields(Fields.of("event", "dropped", "turn", turn, "reason", reason));
        }

        @Override
        public void waiting(RunEvent.Waiting waiting) {
            context.output()
                    .fields(
                            Fields.of(
                                    "event", "waiting",
                                    "state", waiting.state().name(),
                                    "reason", waiting.reason()));
        }

        @Override
        public void recorded(RunEvent.Recorded recorded) {
            context.output()
                    .fields(
                            Fields.of(
                                    "event", "record",
                                    "seq", recorded.seq(),
                                    "timeMillis", recorded.timeMillis(),
                                    "type", TapeCodec.type(recorded.event()),
                                    "content", TapeCodec.tree(recorded.event())));
        }
    }

    /** Thread-safe: questions are shown from a thread of their own. */
    private static final class PersonView implements RunStream.View, TerminalApprovals.Screen {
        private final CommandContext context;
        private TerminalApprovals approvals; // guarded by this; null while no user is asked
        private boolean midLine; // guarded by this

        PersonView(CommandContext context) {
            this.context = context;
        }

        synchronized void ask(TerminalApprovals questions) {
            approvals = questions;
        }

        @Override
        public synchronized void text(int turn, boolean thought, String text) {
            if (!thought) {
                context.output().raw(text);
                midLine = !text.endsWith("\n");
            }
        }

        @Override
        public void dropped(int turn, String reason) {
            line("(turn " + turn + " begins again: " + reason + ")");
        }

        @Override
        public synchronized void recorded(RunEvent.Recorded recorded) {
            line(
                    recorded.seq()
                            + " "
                            + TapeCodec.type(recorded.event())
                            + " "
                            + TapeLine.of(recorded.event()));
            if (approvals != null) {
                approvals.recorded(recorded.event());
            }
        }

        @Override
        public void waiting(RunEvent.Waiting waiting) {
            if (!waiting.reason().isEmpty()) {
                line("(" + waiting.reason() + ")");
            }
        }

        @Override
        public synchronized void note(String text) {
            endLine();
            context.output().note(text);
        }

        @Override
        public synchronized void ask(String text) {
            endLine();
            context.output().raw(text);
            midLine = true;
        }

        @Override
        public synchronized void entered() {
            midLine = false;
        }

        private synchronized void line(String text) {
            endLine();
            context.output().line(text);
        }

        private synchronized void endLine() {
            if (midLine) {
                context.output().raw("\n");
                midLine = false;
            }
        }
    }
}
