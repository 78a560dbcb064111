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
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.OptionSpec;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Seams;

/** {@code attestation verify}: whether what a run says it executed is what was executed. */
@Component(service = Command.class)
public final class AttestationVerifyCommand extends ShellCommand implements AuthorizesEachResource {
    private static final String ACTION = "tape.verify";

    private final EvidenceReader reader;

    @Activate
    public AttestationVerifyCommand(@Reference Seams seams) {
        super(
                spec(
                        "attestation verify",
                        "Recomputes attestations from the tape; names every fault.",
                        """
                        The chain and the signed head are verified, each execution's digest is
                        recomputed from proposal and output, its signature is checked, and that a
                        decision and, where one was asked for, a person's answer let it start.
                        With --file an export is verified by its own keys; compare the keys it
                        names with some you know, or give them.
                        Exit code 0: intact; 65: a fault was found.\
                        """,
                        ACTION,
                        List.of(
                                OptionSpec.value(
                                        "file", "EXPORT", "Verify an export; - reads input"),
                                new OptionSpec(
                                        "trusted-key",
                                        "KEY",
                                        "Only signatures by this key count",
                                        List.of(),
                                        true)),
                        List.of(EvidenceTarget.RUN_OR_CALL)));
        this.reader = new EvidenceReader(seams);
    }

    @Override
    public int run(CommandContext context) throws IOException {
        CommandArguments given = context.arguments();
        Optional<EvidenceTarget> named = given.positional(0).map(EvidenceTarget::of);
        Optional<String> file = given.option("file");
        if (file.isEmpty() && named.isEmpty()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "palyra attestation verify takes RUN, CALL or --file EXPORT.");
        }
        RunEvidence.Read read =
                file.isPresent()
                        ? reader.ofFile(context, file.get(), named)
                        : reader.ofRun(context, named.get(), ACTION);
        return EvidenceVerdict.verdict(
                context, read, given.options().getOrDefault("trusted-key", List.of()));
    }
}
