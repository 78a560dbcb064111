package palyra.shell.internal.evidence;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Seams;

/** {@code why CALL}: why a call ran, waits or did not run, from its tape alone. */
@Component(service = Command.class)
public final class WhyCommand extends ShellCommand implements AuthorizesEachResource {
    private static final String ACTION = "tape.read";

    private final Explainer explainer;
    private final EvidenceReader reader;

    @Activate
    public WhyCommand(@Reference Seams seams) {
        super(
                spec(
                        "why",
                        "Explains why a call ran, waits or did not run, from the tape alone.",
                        """
                        Shows proposal, decisions with their policies, questions and answers, the
                        grant, how it was confined, limits and times, and what would have allowed
                        it. The tape is verified; exit code 65 when the tape is broken.
                        For every policy and its conditions see palyra policy why CALL.\
                        """,
                        ACTION,
                        List.of(
                                OptionSpec.value(
                                        "file",
                                        "EXPORT",
                                        "Explain it from an exported tape; - reads input")),
                        List.of(
                                PositionalSpec.required(
                                        "CALL",
                                        "Id of the call, RUN.TURN.INDEX or last.TURN.INDEX; a run"
                                                + " or last means its last call"))));
        this.reader = new EvidenceReader(seams);
        this.explainer = new Explainer(seams);
    }

    @Override
    public int run(CommandContext context) throws IOException {
        String text = context.arguments().positionals().get(0);
        Optional<String> file = context.arguments().option("file");
        if (file.isPresent()) {
            EvidenceTarget named = EvidenceTarget.call(text);
            return Explainer.tell(context, reader.ofFile(context, file.get(), Optional.of(named)));
        }
        EvidenceTarget named = EvidenceTarget.of(text);
        return explainer.explain(
                context, named.callId().isEmpty() ? lastCall(context, named) : named.callId());
    }

    private String lastCall(CommandContext context, EvidenceTarget run) {
        RunEvidence.Read read = reader.ofRun(context, run, ACTION);
        List<CallHistory> calls = read.evidence().calls();
        if (calls.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND, "Run " + read.runId() + " has not called a tool.");
        }
        return calls.get(calls.size() - 1).callId();
    }

    /** Explains calls; for other commands as well. */
    public static final class Explainer {
        private final EvidenceReader reader;

        /** Creates it. */
        public Explainer(Seams seams) {
            this.reader = new EvidenceReader(seams);
        }

        /** Writes why a call of the journal ran or did not; returns the exit code. */
        public int explain(CommandContext context, String callId) {
            return tell(context, reader.ofRun(context, EvidenceTarget.call(callId), ACTION));
        }

        private static int tell(CommandContext context, RunEvidence.Read read) {
            if (read.evidence().calls().isEmpty()) {
                throw new PalyraException(
                        ErrorCode.CORRUPT,
                        "The tape is broken before it says anything about the call; run palyra"
                                + " tape verify "
                                + read.runId()
                                + ".");
            }
            WhyReport report = new WhyReport(read);
            if (context.json()) {
                context.output().fields(report.fields());
            } else {
                new WhyText(report).write(context);
            }
            boolean intact = EvidenceVerdict.faults(read, List.of()).isEmpty();
            if (!intact) {
                context.output().note("palyra: The tape or an attestation does not verify.");
            }
            return intact ? ExitCodes.OK : ExitCodes.DATA;
        }
    }
}
