package palyra.shell.internal.vault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.vault.Secret;
import palyra.api.core.vault.SecretRef;
import palyra.shared.terminal.TerminalInput;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.Seams;

/** {@code vault reveal SECRET}: shows a value, once that was said twice. It is in the journal. */
@Component(service = Command.class)
public final class VaultRevealCommand extends ShellCommand {
    private static final String YES = "yes-show-it";

    private final Seams seams;

    @Activate
    public VaultRevealCommand(@Reference Seams seams) {
        super(
                spec(
                        "vault reveal",
                        "Shows the value of a secret; the journal keeps that it was shown.",
                        "At a terminal its name is asked for once more, elsewhere --yes-show-it"
                                + " has to be given.",
                        "vault.reveal",
                        List.of(OptionSpec.flag(YES, "Show it without asking once more")),
                        List.of(Secrets.SECRET)));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        SecretRef ref = Secrets.ref(context);
        requireMeant(context, ref);
        AccessRequest question = Secrets.question(context, "vault.reveal", ref, "vault reveal");
        Permit permit = seams.access().call(access -> access.authorizeAndRecord(question));
        try (Secret secret = seams.vault().call(vault -> vault.get(permit, ref))) {
            secret.use(value -> show(context, ref, secret, value));
        }
        return ExitCodes.OK;
    }

    private static void requireMeant(CommandContext context, SecretRef ref) throws IOException {
        if (context.arguments().flag(YES)) {
            return;
        }
        if (!context.interactive() || context.json()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "This would show the value of " + ref + ": add --yes-show-it to confirm.");
        }
        String typed =
                TerminalInput.answer(
                        context,
                        "This shows the value on the terminal. Type the name of the secret to see"
                                + " it: ");
        String name = ref.scope() + "/" + ref.key();
        if (!typed.equals(name) && !typed.equals(ref.toString())) {
            throw new PalyraException(
                    ErrorCode.CANCELLED, "That is not its name; nothing was shown.");
        }
    }

    private static Void show(CommandContext context, SecretRef ref, Secret secret, byte[] value) {
        if (context.json()) {
            context.output().fields(fields(ref, secret, value));
            return null;
        }
        try {
            context.out().write(value);
            if (context.interactive()) {
                context.out().write('\n');
            }
            context.out().flush();
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, ?> fields(SecretRef ref, Secret secret, byte[] value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("secret", ref.toString());
        fields.put("version", secret.info().version());
        try {
            fields.put(
                    "value",
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)).toString());
            fields.put("encoding", "text");
        } catch (CharacterCodingException e) {
            fields.put("value", Base64.getEncoder().encodeToString(value));
            fields.put("encoding", "base64");
        }
        return fields;
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return Secrets.complete(index, prefix);
    }
}
