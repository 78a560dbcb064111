package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.access.Permit;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.TokenView;
import palyra.shell.internal.host.Seams;

/** {@code access tokens}. */
@Component(service = Command.class)
public final class AccessTokensCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AccessTokensCommand(@Reference Seams seams) {
        super(
                spec(
                        "access tokens",
                        "Lists the API tokens, without their secrets.",
                        "",
                        "access.token.list",
                        List.of(),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        List<TokenView> tokens =
                seams.access()
                        .call(
                                access -> {
                                    Permit permit =
                                            access.authorizeRead(
                                                    AccessRequest.of(
                                                            context.principal(),
                                                            "access.token.list",
                                                            ""));
                                    return access.tokens(permit);
                                });
        context.output()
                .table(
                        List.of(
                                "Token",
                                "State",
                                "Principal",
                                "Groups",
                                "Created",
                                "Expires",
                                "Label",
                                "Scopes"),
                        tokens.stream().map(AccessTokensCommand::row).toList());
        return ExitCodes.OK;
    }

    private static List<?> row(TokenView token) {
        return List.of(
                token.tokenId(),
                state(token),
                token.principal(),
                token.groups().stream().sorted().toList(),
                Words.time(token.createdAtMillis()),
                Words.time(token.expiresAtMillis()),
                token.label(),
                token.scopes().stream().sorted().toList());
    }

    private static String state(TokenView token) {
        if (token.revokedAtMillis() > 0) {
            return "revoked";
        }
        boolean expired =
                token.expiresAtMillis() > 0 && token.expiresAtMillis() < System.currentTimeMillis();
        return expired ? "expired" : "valid";
    }
}
