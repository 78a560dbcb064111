package palyra.shell.internal.console;

import java.util.List;
import java.util.Set;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.Invitation;
import palyra.api.core.ops.Ops;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/** {@code console invite NAME}. */
@Component(service = Command.class)
public final class ConsoleInviteCommand extends ShellCommand {
    private static final String PATH = "/console/invitation/";

    private final Seams seams;
    private final BundleContext bundles;

    @Activate
    public ConsoleInviteCommand(BundleContext bundles, @Reference Seams seams) {
        super(
                spec(
                        "console invite",
                        "Invites a person to the console by a link that counts once.",
                        "The link is valid for 15 minutes. The person chooses a passkey or a password. For an account that exists it is a way back in.",
                        "access.account.invite",
                        List.of(
                                new OptionSpec(
                                        "group",
                                        "NAME",
                                        "A group of the account; needed for a new one",
                                        List.of("operator", "approver", "integrator", "viewer"),
                                        true)),
                        List.of(
                                PositionalSpec.required(
                                        "NAME", "Name of an account, such as alice"))));
        this.seams = seams;
        this.bundles = bundles;
    }

    @Override
    public int run(CommandContext context) {
        Set<String> groups =
                Set.copyOf(context.arguments().options().getOrDefault("group", List.of()));
        Invitation invitation =
                AccountCalls.invite(seams, context.principal(), AccountCalls.name(context), groups);
        context.output()
                .fields(
                        Fields.of(
                                "account", invitation.account().name(),
                                "groups", invitation.account().groups().stream().sorted().toList(),
                                "expires", Words.time(invitation.expiresAtMillis()),
                                "link", origin() + PATH + invitation.secret()));
        context.output()
                .note(
                        "The link is shown now and never again. Behind a proxy put its address in"
                                + " place of "
                                + origin()
                                + ".");
        return ExitCodes.OK;
    }

    /** Passkeys are bound to a host with a name, so the loopback goes by its name. */
    private String origin() {
        try {
            ServiceReference<?>[] found =
                    bundles.getAllServiceReferences(
                            null,
                            "(&(" + Ops.ENDPOINT_NAME + "=http)(" + Ops.ENDPOINT_URI + "=*))");
            return found == null
                    ? "http://localhost:7142"
                    : found[0].getProperty(Ops.ENDPOINT_URI)
                            .toString()
                            .replaceFirst("/+$", "")
                            .replace("//127.0.0.1", "//localhost");
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException("the filter of endpoints", e);
        }
    }
}
