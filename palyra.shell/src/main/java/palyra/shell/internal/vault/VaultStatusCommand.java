package palyra.shell.internal.vault;

import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.vault.Vault;
import palyra.api.core.vault.VaultStatus;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code vault status}. */
@Component(service = Command.class)
public final class VaultStatusCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public VaultStatusCommand(@Reference Seams seams) {
        super(
                spec(
                        "vault status",
                        "Shows whether secrets can be had, and how far a rotation is.",
                        "Exits with 1 while they cannot.",
                        "system.status",
                        List.of(),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        VaultStatus status = seams.vault().call(Vault::status);
        context.output().fields(fields(status));
        return status.usable() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    static Map<String, ?> fields(VaultStatus status) {
        return Fields.of(
                "usable", status.usable(),
                "problem", status.problem(),
                "keySource", status.keySource(),
                "keyVersion", status.keyVersion(),
                "secrets", status.secrets(),
                "pending", status.pending());
    }
}
