package palyra.shell.internal.vault;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import palyra.api.command.CommandContext;
import palyra.api.command.PositionalSpec;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.vault.SecretInfo;
import palyra.api.core.vault.SecretRef;
import palyra.shell.internal.commands.Words;
import palyra.shell.internal.host.Fields;

/** What the commands about secrets share. */
final class Secrets {
    static final PositionalSpec SECRET =
            PositionalSpec.required("SECRET", "SCOPE/KEY, such as global/openai_api_key");

    private Secrets() {}

    static SecretRef ref(CommandContext context) {
        return SecretRef.parse(context.arguments().positionals().get(0));
    }

    /** Returns the question whether the caller may do that to a secret. */
    static AccessRequest question(
            CommandContext context, String action, SecretRef ref, String command) {
        return new AccessRequest(
                context.principal(),
                action,
                ref.resource(),
                ref.owner(),
                Map.of("command", command, "purpose", "command"));
    }

    static Map<String, ?> fields(SecretInfo info) {
        return Fields.of(
                "secret", info.ref().toString(),
                "version", info.version(),
                "bytes", info.bytes(),
                "created", Words.time(info.createdAtMillis()),
                "updated", Words.time(info.updatedAtMillis()),
                "updatedBy", info.updatedBy(),
                "keyVersion", info.keyVersion());
    }

    /** Offers how the name of a secret may begin; which there are is not told without a permit. */
    static List<String> complete(int index, String prefix) {
        return index == 0
                ? Stream.of("global/", "principal:", "channel:", "skill:")
                        .filter(scope -> scope.startsWith(prefix))
                        .toList()
                : List.of();
    }
}
