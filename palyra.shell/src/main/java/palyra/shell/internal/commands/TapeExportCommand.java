package palyra.shell.internal.commands;

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
import palyra.api.command.OptionSpec;
import palyra.api.core.keys.PublishedKey;
import palyra.shared.files.NewFile;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code tape export RUN}: a tape that can be verified without the gateway. */
@Component(service = Command.class)
public final class TapeExportCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;
    private final NewFile files;

    @Activate
    public TapeExportCommand(@Reference Seams seams, BundleContext context) {
        super(
                spec(
                        "tape export",
                        "Writes a tape so that it can be verified without the gateway.",
                        """
                        JSON lines: a header with the signed head and the public keys, each record
                        with payload, salt and hashes, and a last line that counts them. Check it
                        with palyra tape verify --file FILE.\
                        """,
                        "tape.export",
                        List.of(
                                OptionSpec.value(
                                        "output",
                                        "FILE",
                                        "Write to this new file instead of standard output")),
                        List.of(TapeStream.RUN_OR_JOURNAL)));
        this.seams = seams;
        this.files = new NewFile(context);
    }

    @Override
    public int run(CommandContext context) throws IOException {
        TapeStream stream =
                TapeStream.permitted(
                        seams, context, context.arguments().positionals().get(0), "tape.export");
        List<PublishedKey> keys = seams.keys().call(service -> service.published());
        String name = context.arguments().option("output").orElse("");
        TapeExport export = new TapeExport(seams, stream, keys, ExportFormat.TAPE);
        if (name.isEmpty()) {
            export.write(context.out(), context::cancelled);
            return context.cancelled() ? ExitCodes.CANCELLED : ExitCodes.OK;
        }
        Path file = files.target(context, name);
        long records = NewFile.write(context, file, export::write);
        context.output()
                .fields(
                        Fields.of(
                                "stream", stream.streamId(),
                                "records", records,
                                "file", file.toString()));
        return ExitCodes.OK;
    }
}
