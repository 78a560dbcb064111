package palyra.skills.internal.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.Require;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.artifact.ArtifactBuilder;
import palyra.skills.internal.artifact.SkillKey;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.offline.ArtifactFields;
import palyra.skills.internal.offline.KeyFiles;
import palyra.skills.internal.offline.Templates;

/**
 * {@code skills init|keygen|build|sign|verify} within the gateway, for files that its user reaches.
 * They work without a gateway too; a signing key does not belong on the gateway's host.
 */
final class MakerCommands {
    private static final String ACTION = "skill.build";
    private static final PositionalSpec FOLDER =
            PositionalSpec.required("FOLDER", "Folder of the skill");
    private static final OptionSpec OUT =
            OptionSpec.value("output", "FILE", "New file to write, or - for standard output");

    private final ArtifactFiles files;
    private final GatewayVersion gateway;

    MakerCommands(ArtifactFiles files, GatewayVersion gateway) {
        this.files = files;
        this.gateway = gateway;
    }

    List<Command> all() {
        return List.of(
                new SkillsCommand(
                        Specs.of(
                                "init",
                                ACTION,
                                "Creates a skill's folder from a template",
                                "",
                                List.of(
                                        OptionSpec.choice(
                                                "template", "NAME", "Language", Templates.NAMES),
                                        OptionSpec.value("publisher", "P", "Who makes it"),
                                        OptionSpec.value("id", "ID", "Its id: P.NAME")),
                                FOLDER),
                        this::init),
                new SkillsCommand(
                        Specs.of(
                                "keygen",
                                ACTION,
                                "Creates a signing key",
                                "Only the gateway's user can read the file.",
                                List.of(),
                                PositionalSpec.required("FILE", "New file")),
                        this::keygen),
                new SkillsCommand(
                        Specs.of(
                                "build",
                                ACTION,
                                "Builds an unsigned artifact from a folder",
                                "",
                                List.of(OUT),
                                FOLDER),
                        this::build),
                new SkillsCommand(
                        Specs.of(
                                "sign",
                                ACTION,
                                "Signs an artifact",
                                "",
                                List.of(
                                        OUT,
                                        OptionSpec.value("key", "KEYFILE", "Key to sign with")),
                                Specs.FILE),
                        this::sign),
                new SkillsCommand(
                        Specs.of(
                                "verify",
                                "skill.read",
                                "Verifies an artifact and shows its manifest",
                                "Trust in its key is checked by skills" + " install.",
                                List.of(),
                                Specs.FILE),
                        this::verify));
    }

    private static String given(CommandContext context) {
        return context.arguments().positional(0).orElse("");
    }

    private static String needed(CommandContext context, String option) {
        return Require.text(context.arguments().option(option).orElse(""), "--" + option);
    }

    private int init(CommandContext context) {
        List<String> written =
                Templates.write(
                        files.path(context, given(context)),
                        context.arguments().option("template").orElse("minimal"),
                        needed(context, "publisher"),
                        needed(context, "id"));
        context.output().fields(Map.of("files", written));
        return ExitCodes.OK;
    }

    private int keygen(CommandContext context) {
        SkillKey key = KeyFiles.generate(files.path(context, given(context)));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("keyId", SkillKey.id(key.publicKey()));
        fields.put("publicKey", key.publicHex());
        context.output().fields(fields);
        return ExitCodes.OK;
    }

    private int build(CommandContext context) throws Exception {
        byte[] file = ArtifactBuilder.build(files.path(context, given(context)));
        files.write(context, needed(context, "output"), file);
        return ExitCodes.OK;
    }

    private int sign(CommandContext context) throws Exception {
        SkillKey key = KeyFiles.read(files.path(context, needed(context, "key")));
        byte[] file =
                ArtifactBuilder.sign(
                        files.read(context, given(context)), key, System.currentTimeMillis());
        Artifact.verify(file);
        files.write(context, needed(context, "output"), file);
        return ExitCodes.OK;
    }

    private int verify(CommandContext context) throws Exception {
        context.output()
                .fields(
                        ArtifactFields.artifact(
                                Artifact.verify(files.read(context, given(context))), gateway));
        return ExitCodes.OK;
    }
}
