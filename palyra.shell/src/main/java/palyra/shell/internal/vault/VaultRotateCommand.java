package palyra.shell.internal.vault;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.api.core.vault.VaultStatus;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.Seams;

/** {@code vault rotate}: a new master key, while secrets are used. */
@Component(service = Command.class)
public final class VaultRotateCommand extends ShellCommand {
    private static final long LOOK_MILLIS = 200;

    private final Seams seams;

    @Activate
    public VaultRotateCommand(@Reference Seams seams) {
        super(
                spec(
                        "vault rotate",
                        "Makes a new master key and wraps every secret's key by it.",
                        "Secrets are used meanwhile. It goes on by itself if this command is"
                                + " stopped, and after a restart. A new passphrase or credential is"
                                + " taken from the file beside the old one, with .new after its"
                                + " name.",
                        "vault.rotate",
                        List.of(OptionSpec.flag("no-wait", "Do not wait for its end")),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) throws InterruptedException {
        AccessRequest question =
                AccessRequest.of(context.principal(), "vault.rotate", SecretRef.PREFIX);
        Authorized permit = seams.access().call(access -> access.authorize(question));
        VaultStatus status = seams.vault().call(vault -> vault.rotate(permit));
        long told = status.pending();
        while (status.pending() > 0 && !context.arguments().flag("no-wait")) {
            Thread.sleep(LOOK_MILLIS); // an interrupt ends the command, not the rotation
            status = seams.vault().call(Vault::status);
            if (status.pending() <= told / 2) {
                told = status.pending();
                context.output().note(told + " secrets to go");
            }
        }
        context.output().fields(VaultStatusCommand.fields(status));
        return status.usable() ? ExitCodes.OK : ExitCodes.FAILED;
    }
}
