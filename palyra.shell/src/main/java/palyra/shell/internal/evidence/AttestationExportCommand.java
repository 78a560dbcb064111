package palyra.shell.internal.evidence;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.api.core.keys.PublishedKey;
import palyra.shared.files.NewFile;
import palyra.shell.internal.commands.ExportFormat;
import palyra.shell.internal.commands.RunIds;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.TapeExport;
import palyra.shell.internal.commands.TapeStream;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code attestation export}: everything that is needed to verify a run's executions elsewhere. */
@Component(service = Command.class)
public final class AttestationExportCommand extends ShellCommand implements AuthorizesEachResource {
    private static final String ACTION = "tape.export";

    private final Seams seams;
    private final NewFile files;

    @Activate
    public AttestationExportCommand(@Reference Seams seams, BundleContext context) {
        super(
                spec(
                        "attestation export",
                        "Writes what proves a run's executions, to be verified anywhere.",
                        """
                        JSON lines: a header with the signed head and the public keys, each record
                        of the run, and a last line with a digest of all before. Check it with
                        palyra attestation verify --file FILE, on this machine or another.\
                        """,
                        ACTION,
                        List.of(),
                        List.of(
                                RunIds.RUN,
                                PositionalSpec.optional(
                                        "FILE", "New file; without it, or with -, to output"))));
        this.seams = seams;
        this.files = new NewFile(context);
    }

    @Override
    public int run(CommandContext context) throws IOException {
        String runId = RunIds.of(context, seams);
        TapeStream stream = TapeStream.permitted(seams, context, runId, ACTION);
        List<PublishedKey> keys = seams.keys().call(service -> service.published());
        TapeExport export = new TapeExport(seams, stream, keys, ExportFormat.EVIDENCE);
        String name = context.arguments().positional(1).orElse("-");
        if (name.equals("-")) {
            export.write(context.out(), context::cancelled);
            return context.cancelled() ? ExitCodes.CANCELLED : ExitCodes.OK;
        }
        Path file = files.target(context, name);
        long records = NewFile.write(context, file, export::write);
        context.output()
                .fields(Fields.of("run", runId, "records", records, "file", file.toString()));
        return ExitCodes.OK;
    }
}
