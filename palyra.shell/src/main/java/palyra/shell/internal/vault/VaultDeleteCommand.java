package palyra.shell.internal.vault;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.vault.SecretRef;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code vault delete SECRET}. */
@Component(service = Command.class)
public final class VaultDeleteCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public VaultDeleteCommand(@Reference Seams seams) {
        super(
                spec(
                        "vault delete",
                        "Forgets a secret.",
                        "What uses it is refused from now on.",
                        "vault.delete",
                        List.of(),
                        List.of(Secrets.SECRET)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        SecretRef ref = Secrets.ref(context);
        AccessRequest question = Secrets.question(context, "vault.delete", ref, "vault delete");
        Authorized permit = seams.access().call(access -> access.authorize(question));
        if (!seams.vault().call(vault -> vault.delete(permit, ref))) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "There is no secret " + ref + "; palyra vault list shows which there are.");
        }
        context.output().fields(Fields.of("secret", ref.toString(), "deleted", true));
        return ExitCodes.OK;
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return Secrets.complete(index, prefix);
    }
}
