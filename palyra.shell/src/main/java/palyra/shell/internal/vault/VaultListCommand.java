package palyra.shell.internal.vault;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.access.Permit;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;
import palyra.api.core.vault.Vault;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Seams;

/** {@code vault list}: names and times, never values. */
@Component(service = Command.class)
public final class VaultListCommand extends ShellCommand implements AuthorizesEachResource {
    private final Seams seams;

    @Activate
    public VaultListCommand(@Reference Seams seams) {
        super(
                spec(
                        "vault list",
                        "Lists secrets, without their values.",
                        "Operators see every scope unless they name one; other users see their"
                                + " own.",
                        "vault.list",
                        List.of(
                                OptionSpec.value(
                                        "scope",
                                        "SCOPE",
                                        "global, principal:ID, agent:ID, channel:NAME:ACCOUNT or"
                                                + " skill:ID"),
                                OptionSpec.value("after", "KEY", "Begin after this one")),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String own =
                context.principal().in("operator") ? "" : "principal:" + context.principal().id();
        String scope = context.arguments().option("scope").orElse(own);
        String after = context.arguments().option("after").orElse("");
        Permit permit =
                seams.access().call(access -> access.authorizeRead(question(context, scope)));
        List<SecretInfo> found = seams.vault().call(vault -> vault.list(permit, scope, after));
        List<List<?>> rows = new ArrayList<>();
        for (SecretInfo info : found) {
            rows.add(
                    List.of(
                            info.ref().toString(),
                            info.version(),
                            info.bytes(),
                            Words.time(info.updatedAtMillis()),
                            info.updatedBy()));
        }
        context.output().table(List.of("Secret", "Version", "Bytes", "Updated", "By"), rows);
        if (found.size() == Vault.MAX_LIST) {
            SecretRef last = found.get(found.size() - 1).ref();
            String key = scope.isEmpty() ? last.scope() + "/" + last.key() : last.key();
            context.output().note("There may be more: --after " + key);
        }
        return ExitCodes.OK;
    }

    private static AccessRequest question(CommandContext context, String scope) {
        if (scope.isEmpty()) {
            return AccessRequest.of(context.principal(), "vault.list", SecretRef.PREFIX);
        }
        String owner = new SecretRef(scope, "any").owner();
        return new AccessRequest(
                context.principal(), "vault.list", SecretRef.PREFIX + scope + "/", owner, Map.of());
    }
}
