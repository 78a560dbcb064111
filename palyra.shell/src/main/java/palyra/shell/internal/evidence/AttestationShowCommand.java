package palyra.shell.internal.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.api.tape.TapeEvent.ToolAttestation;
import palyra.api.tape.TapeEvent.ToolCallOutput;
import palyra.api.tape.TapeEvent.ToolCallProposal;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.evidence.CallHistory.At;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code attestation show}: the attestations of a run's calls, or all about one call. */
@Component(service = Command.class)
public final class AttestationShowCommand extends ShellCommand implements AuthorizesEachResource {
    private static final String ACTION = "tape.read";

    private final EvidenceReader reader;

    @Activate
    public AttestationShowCommand(@Reference Seams seams) {
        super(
                spec(
                        "attestation show",
                        "Shows the attestations of a run's calls, or of one call.",
                        "The attestation of one call is verified as well; see the verdict.",
                        ACTION,
                        List.of(),
                        List.of(
                                PositionalSpec.required(
                                        EvidenceTarget.RUN_OR_CALL.name(),
                                        EvidenceTarget.RUN_OR_CALL.description()))));
        this.reader = new EvidenceReader(seams);
    }

    @Override
    public int run(CommandContext context) {
        EvidenceTarget named = EvidenceTarget.of(context.arguments().positionals().get(0));
        RunEvidence.Read read = reader.ofRun(context, named, ACTION);
        if (named.callId().isEmpty()) {
            table(context, read);
            return ExitCodes.OK;
        }
        return one(context, read);
    }

    private static void table(CommandContext context, RunEvidence.Read read) {
        List<List<String>> rows = new ArrayList<>();
        for (CallHistory call : read.evidence().calls()) {
            Optional<ToolAttestation> statement = call.last(ToolAttestation.class).map(At::event);
            rows.add(
                    List.of(
                            call.callId(),
                            call.first(ToolCallProposal.class)
                                    .map(at -> at.event().tool())
                                    .orElse(""),
                            call.last(ToolCallOutput.class)
                                    .map(at -> at.event().outcome().name())
                                    .orElse("open"),
                            statement.map(ToolAttestation::executor).orElse("not executed"),
                            statement.map(s -> Words.time(s.executedAtMillis())).orElse(""),
                            statement.map(ToolAttestation::executionSha256).orElse(""),
                            statement.map(ToolAttestation::sandboxEnforcement).orElse("")));
        }
        context.output()
                .table(
                        List.of(
                                "Call",
                                "Tool",
                                "Outcome",
                                "Executor",
                                "Executed",
                                "Execution SHA256",
                                "Enforcement"),
                        rows);
    }

    private static int one(CommandContext context, RunEvidence.Read read) {
        CallHistory call = read.evidence().calls().stream().findFirst().orElse(null);
        ToolAttestation statement =
                call == null ? null : call.last(ToolAttestation.class).map(At::event).orElse(null);
        List<Map<String, Object>> faults = EvidenceVerdict.faults(read, List.of());
        if (statement == null && faults.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "Nothing is attested about this call: it was not executed, or not yet; see"
                            + " palyra why.");
        }
        Map<String, Object> fields = Fields.of("verdict", faults.isEmpty() ? "intact" : "broken");
        if (statement != null) {
            fields.putAll(fields(call, statement));
        }
        fields.put("faults", faults);
        context.output().fields(fields);
        return faults.isEmpty() ? ExitCodes.OK : ExitCodes.DATA;
    }

    private static Map<String, Object> fields(CallHistory call, ToolAttestation statement) {
        Optional<ToolCallProposal> proposal = call.first(ToolCallProposal.class).map(At::event);
        Optional<ToolCallOutput> output = call.last(ToolCallOutput.class).map(At::event);
        return Fields.of(
                "call", call.callId(),
                "tool", proposal.map(ToolCallProposal::tool).orElse(""),
                "input", proposal.map(ToolCallProposal::inputJson).orElse(""),
                "outcome", output.map(each -> each.outcome().name()).orElse(""),
                "attestationId", statement.attestationId(),
                "executor", statement.executor(),
                "sandboxEnforcement", statement.sandboxEnforcement(),
                "executedAt", Words.time(statement.executedAtMillis()),
                "executedAtMillis", statement.executedAtMillis(),
                "timedOut", statement.timedOut(),
                "policySha256", statement.policySha256(),
                "executableSha256", statement.executableSha256(),
                "executionSha256", statement.executionSha256(),
                "recomputedSha256", recomputed(proposal.map(call::attested), output, statement),
                "keyId", statement.keyId(),
                "signature", statement.signature());
    }

    private static String recomputed(
            Optional<ToolCallProposal> proposal,
            Optional<ToolCallOutput> output,
            ToolAttestation statement) {
        return proposal.isPresent() && output.isPresent()
                ? AttestationCheck.recomputed(proposal.get(), output.get(), statement)
                : "";
    }
}
