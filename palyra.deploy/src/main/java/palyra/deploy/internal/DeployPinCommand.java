package palyra.deploy.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;

/**
 * {@code deploy pin FILE|DIGEST}: trusts a jar, or all jars of a signer. Not marked as mutating:
 * the pin is recorded together with its permit.
 */
final class DeployPinCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "deploy pin",
                    "Trusts a jar of the drop-in folder, or a digest",
                    "A pinned bundle runs with all rights of the gateway. The pin is kept in the"
                            + " journal; pins in the configuration count as well.",
                    List.of(
                            OptionSpec.flag(
                                    "signer",
                                    "Trust the signer of all of FILE instead of this file"),
                            OptionSpec.value("note", "TEXT", "Purpose of the pin")),
                    List.of(
                            PositionalSpec.required(
                                    "FILE|DIGEST",
                                    "A file in the folder, sha256:DIGEST, signer:DIGEST, or the"
                                            + " digest of a file alone")),
                    PinStore.PIN,
                    false);
    private static final int LONGEST_NOTE = 200;

    private final Reporter reporter;
    private final PinStore pins;
    private final Runnable changed;

    /**
     * @param changed runs after a change of the pins
     */
    DeployPinCommand(Reporter reporter, PinStore pins, Runnable changed) {
        this.reporter = reporter;
        this.pins = pins;
        this.changed = changed;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        String what = context.arguments().positional(0).orElse("");
        boolean signer = context.arguments().flag("signer");
        Optional<Pin> given = Pin.parseArgument(what);
        Require.that(
                given.isEmpty() || !signer,
                "--signer needs a file; for a digest write signer:DIGEST");
        Pin pin = given.orElseGet(() -> ofFile(what, signer));
        String note = context.arguments().option("note").orElse(given.isPresent() ? "" : what);
        Require.that(
                note.length() <= LONGEST_NOTE && note.chars().noneMatch(Character::isISOControl),
                "--note takes one line of at most " + LONGEST_NOTE + " characters");
        pins.add(context.principal(), pin, note);
        changed.run();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("pin", pin.toString());
        fields.put("note", note);
        context.output().fields(fields);
        DeployView view = reporter.view();
        if (!view.active()) {
            context.output().note("The drop-in folder is not watched: " + view.why());
        }
        return ExitCodes.OK;
    }

    private Pin ofFile(String file, boolean signer) {
        Row row = DeployStatusCommand.find(reporter.view(), file);
        JarFacts facts = row.facts().orElseThrow(() -> unread(row));
        if (!signer) {
            return Pin.ofFile(facts.sha256());
        }
        Set<String> signers = facts.signers().keySet();
        if (signers.size() != 1) {
            throw new PalyraException(
                    ErrorCode.CONFLICT,
                    signers.isEmpty()
                            ? "No signer of "
                                    + file
                                    + " can be pinned: "
                                    + facts.signatureLack()
                                    + ". Pin the file itself, or have all of it signed."
                            : file
                                    + " has "
                                    + signers.size()
                                    + " signers; name one as signer:DIGEST: "
                                    + String.join(", ", signers)
                                    + ".");
        }
        return Pin.ofSigner(signers.iterator().next());
    }

    private static PalyraException unread(Row row) {
        String why =
                row.explanation().isEmpty() ? "It is not read yet; try again." : row.explanation();
        return new PalyraException(
                ErrorCode.CONFLICT, row.file() + " cannot be pinned. " + why + " " + row.remedy());
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return DeployStatusCommand.complete(reporter.view(), index, prefix);
    }
}
