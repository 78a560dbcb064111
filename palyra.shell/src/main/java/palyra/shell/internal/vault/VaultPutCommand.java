package palyra.shell.internal.vault;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
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
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Seams;

/** {@code vault put SECRET}: the value comes from standard input or a prompt. */
@Component(service = Command.class)
public final class VaultPutCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public VaultPutCommand(@Reference Seams seams) {
        super(
                spec(
                        "vault put",
                        "Keeps a secret, in place of the one of that name.",
                        "The value is read from standard input, or asked for at a terminal; it is"
                                + " never an argument. One line end at its end is left out, unless"
                                + " --exact.",
                        "vault.put",
                        List.of(
                                OptionSpec.value(
                                        "expect",
                                        "VERSION",
                                        "Only in place of this version; 0 for none yet"),
                                OptionSpec.flag("exact", "Keep a line end at the end as well")),
                        List.of(
                                Secrets.SECRET,
                                PositionalSpec.optional(
                                        "VALUE", "Refused: other programs see arguments"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        if (context.arguments().positional(1).isPresent()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A value is never an argument: every program of this machine can see it there,"
                            + " and the shell writes it into its history. Give it on standard"
                            + " input, as in: palyra vault put global/name < file. Consider the"
                            + " value that was given here as known, and replace it.");
        }
        SecretRef ref = Secrets.ref(context);
        int expected = context.arguments().number("expect", -1, 0, Integer.MAX_VALUE);
        AccessRequest question = Secrets.question(context, "vault.put", ref, "vault put");
        seams.access().run(access -> access.authorizeRead(question)); // before the user types
        byte[] value = ValueInput.read(context, context.arguments().flag("exact"));
        try {
            Authorized permit = seams.access().call(access -> access.authorize(question));
            SecretInfo info = seams.vault().call(vault -> vault.put(permit, ref, value, expected));
            context.output().fields(Secrets.fields(info));
            return ExitCodes.OK;
        } finally {
            Arrays.fill(value, (byte) 0);
        }
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return Secrets.complete(index, prefix);
    }
}
