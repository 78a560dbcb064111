package palyra.shell.internal.commands;

import java.util.List;
import java.util.Locale;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.PublishedKey;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.RecordsArguments;
import palyra.shell.internal.host.Seams;

/** {@code access key-rotate PURPOSE}. */
@Component(service = Command.class)
public final class AccessKeyRotateCommand extends ShellCommand implements RecordsArguments {
    private final Seams seams;

    @Activate
    public AccessKeyRotateCommand(@Reference Seams seams) {
        super(
                recorded(
                        "access key-rotate",
                        "Replaces a signing key; the old one signs the change and stays published.",
                        "",
                        "access.key.rotate",
                        List.of(),
                        List.of(PositionalSpec.required("PURPOSE", "tape-head or attestation"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) {
        KeyPurpose purpose = purpose(context.arguments().positionals().get(0));
        PublishedKey retired = seams.keys().call(keys -> keys.rotate(purpose));
        context.output()
                .fields(
                        Fields.of(
                                "purpose", purpose.name(),
                                "retiredKeyId", retired.keyId(),
                                "currentKeyId", retired.successorKeyId(),
                                "rotationSignature", retired.rotationSignature()));
        return ExitCodes.OK;
    }

    private static KeyPurpose purpose(String text) {
        String name = text.toUpperCase(Locale.ROOT).replace('-', '_');
        if (name.equals(KeyPurpose.TAPE_HEAD.name())) {
            return KeyPurpose.TAPE_HEAD;
        }
        if (name.equals(KeyPurpose.ATTESTATION.name())) {
            return KeyPurpose.ATTESTATION;
        }
        throw new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "'"
                        + Words.brief(text, 40)
                        + "' is no purpose of a signing key: use tape-head or attestation.");
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return List.of("attestation", "tape-head");
    }
}
