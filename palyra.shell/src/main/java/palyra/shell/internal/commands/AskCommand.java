package palyra.shell.internal.commands;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.run.RunEvent;
import palyra.api.run.RunState;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.shell.internal.approvals.TerminalApprovals;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;
import palyra.shell.internal.host.StopCause;
import palyra.shell.internal.host.Stoppable;

/** {@code ask TEXT…}: a message to an agent, and its answer as it is written. */
@Component(service = Command.class)
public final class AskCommand extends ShellCommand implements AuthorizesEachResource {
    private static final String SURFACE = "shell";
    private static final int DEFAULT_WAIT_SECONDS = 300;
    private static final long ROUTE_CHECK_MILLIS = 200;
    private static final long CANCEL_MILLIS = 6_000;

    private final Seams seams;

    @Activate
    public AskCommand(@Reference Seams seams) {
        super(
                spec(
                        "ask",
                        "Sends a message to an agent and shows the answer as it is written.",
                        """
                        With - as TEXT the message is read from standard input.
                        What the run waits for is shown on standard error, at a terminal also
                        which tools it calls; nothing of it with --quiet or --json.
                        When the run needs a person's word, the question is asked here, and may
                        be answered anywhere else as well; Ctrl-D leaves it open.
                        Ctrl-C cancels the run; one that waits for an answer is left waiting.
                        A run whose terminal is lost goes on.
                        Exit code 0: answered; 1: the run failed; 130: it was cancelled.\
                        """,
                        "run.start",
                        List.of(
                                OptionSpec.value(
                                        "session", "KEY", "Name or id of the session to go on in"),
                                OptionSpec.value("agent", "ID", "Agent that shall answer"),
                                OptionSpec.value(
                                        "dedupe", "KEY", "The same KEY is one message, once"),
                                OptionSpec.flag(
                                        "new",
                                        "Begin a fresh session; a run of the one before goes on"),
                                OptionSpec.flag("background", "Print the run's id and do not wait"),
                                OptionSpec.flag("final", "Print the answer only when it is final"),
                                OptionSpec.flag("thoughts", "Show what the model thinks, as notes"),
                                OptionSpec.flag("quiet", "Show no progress"),
                                OptionSpec.value(
                                        "wait",
                                        "SECONDS",
                                        "How long to wait while the gateway is away")),
                        List.of(PositionalSpec.rest("TEXT", "The message"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) throws Exception {
        int wait = context.arguments().number("wait", DEFAULT_WAIT_SECONDS, 0, 86_400);
        SubmittedMessage message = message(context);
        Submission submission =
                seams.runs().call(runs -> runs.submit(context.principal(), message));
        if (context.arguments().flag("background")) {
            return background(context, submission);
        }
        return follow(context, routed(context, submission, wait));
    }

    private static SubmittedMessage message(CommandContext context) throws IOException {
        CommandArguments given = context.arguments();
        List<String> words = given.positionals();
        String text =
                words.equals(List.of("-"))
                        ? CallerInput.text(context, 4 * SubmittedMessage.MAX_TEXT, "the message")
                        : String.join(" ", words);
        String session = given.option("session").orElse("");
        boolean byId = Words.isId(session);
        return new SubmittedMessage(
                SURFACE,
                given.option("dedupe").orElse(""),
                byId ? session : "",
                byId ? "" : session,
                "",
                "",
                given.option("agent").orElse(""),
                text,
                given.flag("background") ? "background" : "interactive",
                given.flag("new"));
    }

    private static int background(CommandContext context, Submission submission) {
        if (context.json()) {
            context.output()
                    .fields(
                            Fields.of(
                                    "runId", submission.runId(),
                                    "sessionId", submission.sessionId(),
                                    "messageId", submission.messageId(),
                                    "duplicate", submission.duplicate()));
        } else if (submission.runId().isEmpty()) {
            context.output().note(queued(submission) + "; it is answered when the gateway is back");
        } else {
            context.output().line(submission.runId());
        }
        return ExitCodes.OK;
    }

    private static String queued(Submission submission) {
        return "queued as message " + submission.messageId() + ": the gateway is not there now";
    }

    /** Waits, bounded, until a gateway has made a run of the message. */
    private Submission routed(CommandContext context, Submission accepted, int waitSeconds)
            throws InterruptedException {
        if (!accepted.runId().isEmpty()) {
            return accepted;
        }
        context.output().note(queued(accepted) + "; waiting for it");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds);
        while (System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(ROUTE_CHECK_MILLIS);
            Submission now =
                    seams.runs()
                            .call(
                                    runs ->
                                            runs.submission(
                                                    context.principal(), accepted.messageId()));
            if (!now.runId().isEmpty()) {
                return now;
            }
        }
        throw new PalyraException(
                ErrorCode.GATEWAY_UNAVAILABLE,
                "The gateway did not come back within "
                        + waitSeconds
                        + " s; message "
                        + accepted.messageId()
                        + " stays queued and is answered when it does: see palyra runs.");
    }

    private int follow(CommandContext context, Submission submission) {
        CommandArguments given = context.arguments();
        boolean waits = !context.json() && !given.flag("quiet");
        AnswerView view =
                new AnswerView(
                        context.output(),
                        !given.flag("final"),
                        waits,
                        waits && Stoppable.watched(context),
                        given.flag("thoughts"));
        RunStream stream = new RunStream(seams, context.principal(), submission.runId(), 0, view);
        Optional<RunEvent.Ended> end;
        try (TerminalApprovals approvals = new TerminalApprovals(seams, context, view)) {
            view.ask(approvals);
            context.onCancel(() -> cancel(context, submission.runId(), approvals));
            end = watch(context, stream, view, submission.runId(), approvals);
        }
        view.endLine();
        return end.map(ended -> report(context, submission, view, ended)).orElse(leaving(context));
    }

    private Optional<RunEvent.Ended> watch(
            CommandContext context,
            RunStream stream,
            AnswerView view,
            String runId,
            TerminalApprovals approvals) {
        try {
            return stream.follow(0);
        } catch (InterruptedException e) {
            return approvals.waiting() && byPerson(context)
                    ? leftWaiting(view, runId)
                    : afterInterrupt(context, stream, view, runId);
        }
    }

    private static Optional<RunEvent.Ended> leftWaiting(AnswerView view, String runId) {
        view.note(
                "The run is left waiting for an answer: see palyra approvals list --run "
                        + runId
                        + "; follow it with palyra run follow "
                        + runId
                        + ", or end it with palyra run cancel "
                        + runId);
        return Optional.empty();
    }

    private static boolean byPerson(CommandContext context) {
        return Stoppable.cause(context).filter(cause -> cause == StopCause.PERSON).isPresent();
    }

    private void cancel(CommandContext context, String runId, TerminalApprovals approvals) {
        // A terminal that is gone asks for nothing: the answer can be read later. A run that waits
        // for a person is not ended when the user only leaves.
        if (byPerson(context) && !approvals.waiting()) {
            seams.runs()
                    .run(runs -> runs.cancel(context.principal(), runId, "stopped with Ctrl-C"));
        }
    }

    private Optional<RunEvent.Ended> afterInterrupt(
            CommandContext context, RunStream stream, AnswerView view, String runId) {
        Optional<StopCause> cause = Stoppable.cause(context);
        if (byPerson(context)) {
            try {
                return stream.follow(CANCEL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }
        if (cause.isPresent() && cause.get() == StopCause.WITHDRAWN) {
            view.note(
                    "The shell is being replaced; the run goes on, see it with: palyra run follow "
                            + runId);
        }
        return Optional.empty();
    }

    private static int leaving(CommandContext context) {
        boolean withdrawn =
                Stoppable.cause(context).filter(cause -> cause == StopCause.WITHDRAWN).isPresent();
        return withdrawn ? ExitCodes.UNAVAILABLE : ExitCodes.CANCELLED;
    }

    private static int report(
            CommandContext context, Submission submission, AnswerView view, RunEvent.Ended ended) {
        if (context.json()) {
            context.output()
                    .fields(
                            Fields.of(
                                    "runId", submission.runId(),
                                    "sessionId", submission.sessionId(),
                                    "state", ended.state().name(),
                                    "answer", view.answer(),
                                    "reason", ended.reason()));
        } else if (context.arguments().flag("final") && ended.state() == RunState.SUCCEEDED) {
            context.output().line(view.answer());
        }
        if (ended.state() == RunState.SUCCEEDED) {
            return ExitCodes.OK;
        }
        boolean cancelled = ended.state() == RunState.CANCELLED;
        context.output()
                .note(
                        "palyra: The run "
                                + submission.runId()
                                + (cancelled ? " was cancelled" : " failed")
                                + (ended.reason().isEmpty() ? "." : ": " + ended.reason()));
        return cancelled ? ExitCodes.CANCELLED : ExitCodes.FAILED;
    }
}
