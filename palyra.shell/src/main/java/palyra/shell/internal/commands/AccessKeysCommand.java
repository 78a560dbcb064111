package palyra.shell.internal.commands;

import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.keys.PublishedKey;
import palyra.shell.internal.host.Seams;

/** {@code access keys}. */
@Component(service = Command.class)
public final class AccessKeysCommand extends ShellCommand {
    private final Seams seams;

    @Activate
    public AccessKeysCommand(@Reference Seams seams) {
        super(
                spec(
                        "access keys",
                        "Lists the public keys that signatures are checked with.",
                        "",
                        "access.key.read",
                        List.of(),
                        List.of()));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        List<PublishedKey> published = seams.keys().call(keys -> keys.published());
        context.output()
                .table(
                        List.of(
                                "Key",
                                "Purpose",
                                "State",
                                "Created",
                                "Retired",
                                "Successor",
                                "Public key"),
                        published.stream().map(AccessKeysCommand::row).toList());
        return ExitCodes.OK;
    }

    private static List<String> row(PublishedKey key) {
        return List.of(
                key.keyId(),
                key.purpose().name(),
                key.current() ? "current" : "retired",
                Words.time(key.createdAtMillis()),
                Words.time(key.retiredAtMillis()),
                key.successorKeyId(),
                key.publicKey());
    }
}
