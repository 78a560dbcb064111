package palyra.shell.internal.commands;

import java.util.List;
import java.util.Set;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.IssuedToken;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code access token-create LABEL}. */
@Component(service = Command.class)
public final class AccessTokenCreateCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AccessTokenCreateCommand(@Reference Seams seams) {
        super(
                spec(
                        "access token-create",
                        "Makes an API token and shows its secret once.",
                        "It never reaches further than you do: groups and scopes are a part of yours.",
                        "access.token.create",
                        List.of(
                                OptionSpec.value(
                                        "principal", "ID", "Whom it speaks for; without it, you"),
                                new OptionSpec(
                                        "group",
                                        "NAME",
                                        "A group it belongs to",
                                        List.of("operator", "approver", "integrator", "viewer"),
                                        true),
                                new OptionSpec(
                                        "scope",
                                        "ACTION",
                                        "An action it is limited to, or a prefix ending in *",
                                        List.of(),
                                        true),
                                OptionSpec.value(
                                        "ttl",
                                        "TIME",
                                        "How long it is valid, such as 12h or 30d; without it, until revoked")),
                        List.of(PositionalSpec.required("LABEL", "What people call it"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        CommandArguments given = context.arguments();
        String label = given.positionals().get(0);
        String principal = given.option("principal").orElse(context.principal().id());
        Set<String> groups = Set.copyOf(given.options().getOrDefault("group", List.of()));
        Set<String> scopes = Set.copyOf(given.options().getOrDefault("scope", List.of()));
        long ttl = given.option("ttl").map(text -> Words.millis(text, "ttl")).orElse(0L);
        IssuedToken issued =
                seams.access()
                        .call(
                                access -> {
                                    Authorized permit =
                                            access.authorize(
                                                    AccessRequest.of(
                                                            context.principal(),
                                                            "access.token.create",
                                                            "principal:" + principal));
                                    return access.createToken(
                                            permit, label, principal, groups, scopes, ttl);
                                });
        context.output()
                .fields(
                        Fields.of(
                                "tokenId", issued.token().tokenId(),
                                "principal", issued.token().principal(),
                                "groups", issued.token().groups().stream().sorted().toList(),
                                "scopes", issued.token().scopes().stream().sorted().toList(),
                                "expires", Words.time(issued.token().expiresAtMillis()),
                                "secret", issued.secret()));
        context.output().note("The secret is shown now and never again.");
        return ExitCodes.OK;
    }
}
