package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.TokenView;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code access token-revoke TOKEN}. */
@Component(service = Command.class)
public final class AccessTokenRevokeCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AccessTokenRevokeCommand(@Reference Seams seams) {
        super(
                spec(
                        "access token-revoke",
                        "Revokes an API token, at once.",
                        "",
                        "access.token.revoke",
                        List.of(),
                        List.of(
                                PositionalSpec.required(
                                        "TOKEN", "Id of a token, not its secret"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        String id = Words.id(context.arguments().positionals().get(0), "token id");
        TokenView token =
                seams.access()
                        .call(
                                access -> {
                                    Authorized permit =
                                            access.authorize(
                                                    AccessRequest.of(
                                                            context.principal(),
                                                            "access.token.revoke",
                                                            "token:" + id));
                                    return access.revokeToken(permit, id);
                                });
        context.output()
                .fields(
                        Fields.of(
                                "tokenId", token.tokenId(),
                                "label", token.label(),
                                "revoked", Words.time(token.revokedAtMillis())));
        return ExitCodes.OK;
    }
}
