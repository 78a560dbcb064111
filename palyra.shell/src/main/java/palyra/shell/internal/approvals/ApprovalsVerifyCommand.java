package palyra.shell.internal.approvals;

import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.api.core.keys.PublishedKey;
import palyra.shared.approval.ExportVerifier;
import palyra.shared.files.CallerFiles;
import palyra.shell.internal.commands.CallerInput;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code approvals verify FILE}: whether an export of questions and answers is as it was made. */
@Component(service = Command.class)
public final class ApprovalsVerifyCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public ApprovalsVerifyCommand(@Reference Seams seams) {
        super(
                spec(
                        "approvals verify",
                        "Checks an export of approvals by this gateway's keys; names every fault.",
                        "Exit code 0: every byte is as it was exported; 65: a fault was found.",
                        "approval.list",
                        List.of(),
                        List.of(PositionalSpec.required("FILE", "The export; - reads input"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        ExportVerifier.Report report = verify(context, keys());
        context.output()
                .fields(
                        Fields.of(
                                "verdict", report.intact() ? "intact" : "broken",
                                "records", report.records(),
                                "problems", report.problems()));
        return report.intact() ? ExitCodes.OK : ExitCodes.DATA;
    }

    private Map<String, byte[]> keys() {
        List<PublishedKey> published = seams.keys().call(service -> service.published());
        Map<String, byte[]> keys = new HashMap<>();
        published.forEach(
                key -> keys.put(key.keyId(), Base64.getUrlDecoder().decode(key.publicKey())));
        return keys;
    }

    private static ExportVerifier.Report verify(CommandContext context, Map<String, byte[]> keys)
            throws IOException {
        String name = context.arguments().positionals().get(0);
        if (name.equals("-")) {
            return ExportVerifier.verify(context.in(), keys::get);
        }
        try (InputStream in =
                CallerInput.open(CallerFiles.file(context, name, "use - and pipe it"))) {
            return ExportVerifier.verify(in, keys::get);
        }
    }
}
