package palyra.deploy.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;

/** {@code deploy status FILE}: the state of one file. */
final class DeployStatusCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "deploy status",
                    "Shows the state of one file of the drop-in folder, and why",
                    "Exit code 0: its bundle is active; 1: it is not.",
                    List.of(),
                    List.of(PositionalSpec.required("FILE", "Name of a file in the folder")),
                    DeployListCommand.ACTION,
                    false);

    private final Reporter reporter;

    DeployStatusCommand(Reporter reporter) {
        this.reporter = reporter;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        DeployView view = reporter.view();
        Row row = find(view, context.arguments().positional(0).orElse(""));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("file", row.file());
        fields.put("state", DeployListCommand.state(row));
        row.facts().ifPresent(facts -> addFacts(fields, facts));
        fields.put("pin", row.pin().map(pin -> pin.pin().toString()).orElse(""));
        fields.put("pinnedBy", DeployListCommand.origin(row));
        fields.put("explanation", row.explanation());
        fields.put("remedy", row.remedy());
        context.output().fields(fields);
        return row.state() == Row.State.ACTIVE ? ExitCodes.OK : ExitCodes.FAILED;
    }

    static Row find(DeployView view, String file) {
        return view.row(file)
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.NOT_FOUND,
                                        view.active()
                                                ? "Not found in the drop-in folder: jar '"
                                                        + file
                                                        + "'; list them with palyra deploy list."
                                                : "The drop-in folder is not watched: "
                                                        + view.why()));
    }

    static void addFacts(Map<String, Object> fields, JarFacts facts) {
        fields.put("bundle", facts.symbolicName());
        fields.put("version", facts.version().toString());
        fields.put("sizeBytes", facts.sizeBytes());
        fields.put("sha256", facts.sha256());
        fields.put(
                "signers",
                facts.signers().values().stream()
                        .map(one -> Pin.ofSigner(one.sha256()) + " " + one.subject())
                        .sorted()
                        .toList());
        fields.put("unsignedBecause", facts.signatureLack());
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return complete(reporter.view(), index, prefix);
    }

    static List<String> complete(DeployView view, int index, String prefix) {
        return view.rows().stream()
                .map(Row::file)
                .filter(file -> index == 0 && file.startsWith(prefix))
                .toList();
    }
}
