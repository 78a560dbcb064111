package palyra.skills.internal.trycommand;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.shared.hash.Digests;
import palyra.skills.internal.artifact.ArtifactLimits;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;

/** A module from a file or from standard input, and the nameless skill that is made of it. */
final class ModuleFile {
    static final String STANDARD_INPUT = "-";

    /** Name of the tool that a file is offered as. */
    static final String TOOL = "local.file";

    private static final int MOST_BYTES = 8 << 20;
    private static final String LEGACY = "run";
    private static final String DEFAULT_ENTRYPOINT = "palyra_call";
    private static final byte[] MAGIC = {0, 'a', 's', 'm'};
    private static final byte[] ZIP = {'P', 'K', 3, 4};

    private ModuleFile() {}

    /** Returns whether an argument names a file rather than a skill. */
    static boolean isFile(String argument) {
        return argument.equals(STANDARD_INPUT)
                || argument.indexOf('/') >= 0
                || argument.endsWith(".wasm")
                || argument.endsWith(".palyra-skill");
    }

    /**
     * Reads a module.
     *
     * @throws PalyraException NOT_FOUND, INVALID_ARGUMENT when it is no module
     */
    static byte[] read(CommandContext context, String file) throws IOException {
        byte[] bytes = bytes(context, file);
        requireModule(bytes);
        return bytes;
    }

    /** Returns whether a file is an artifact: it begins as a ZIP file does. */
    static boolean isArtifact(byte[] bytes) {
        return begins(bytes, ZIP);
    }

    /**
     * Returns a file as it is.
     *
     * @throws PalyraException NOT_FOUND, INVALID_ARGUMENT when it cannot be read
     */
    static byte[] bytes(CommandContext context, String file) throws IOException {
        int most = ArtifactLimits.MAX_BYTES;
        byte[] bytes;
        if (file.equals(STANDARD_INPUT)) {
            bytes = context.in().readNBytes(most + 1);
        } else {
            requireOperator(context);
            try (InputStream in = Files.newInputStream(path(context, file))) {
                bytes = in.readNBytes(most + 1);
            } catch (NoSuchFileException e) {
                throw new PalyraException(
                        ErrorCode.NOT_FOUND, "File not found by the gateway: " + file + ".", e);
            } catch (IOException e) {
                throw new PalyraException(
                        ErrorCode.INVALID_ARGUMENT,
                        "The gateway's user cannot read "
                                + file
                                + "; give - and redirect standard input.",
                        e);
            }
        }
        return bytes;
    }

    /** The gateway's user may read what the caller may not. */
    private static void requireOperator(CommandContext context) {
        if (!context.principal().in("operator")) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "The gateway opens files for operators only; give - and redirect standard"
                            + " input.");
        }
    }

    private static Path path(CommandContext context, String file) {
        try {
            return Path.of(context.workingFolder()).resolve(file);
        } catch (InvalidPathException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "'" + file + "' is not a file name", e);
        }
    }

    static void requireModule(byte[] bytes) {
        if (bytes.length > MOST_BYTES) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The module is larger than " + MOST_BYTES + " bytes.");
        }
        if (begins(bytes, ZIP)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The file is an artifact, not a module; skills audit checks it, and skills run"
                            + " tries it.");
        }
        if (!begins(bytes, MAGIC)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The file is not a WebAssembly module: it does not begin with \\0asm. Text is"
                            + " translated by wat2wasm.");
        }
    }

    private static boolean begins(byte[] bytes, byte[] with) {
        return bytes.length >= with.length
                && Arrays.equals(bytes, 0, with.length, with, 0, with.length);
    }

    /**
     * Returns a skill with one tool.
     *
     * @param entrypoint exported function; empty for the usual one
     */
    static LoadedSkill skill(byte[] module, String entrypoint, SkillGrants grants) {
        String sha256 = Digests.sha256Hex(module);
        String called = entrypoint.isEmpty() ? DEFAULT_ENTRYPOINT : entrypoint;
        SkillTool tool =
                new SkillTool(
                        TOOL,
                        "A module under test.",
                        "{\"type\":\"object\"}",
                        "{}",
                        "module.wasm",
                        called,
                        false,
                        false,
                        called.equals(LEGACY));
        return new LoadedSkill(
                new SkillId("local." + sha256.substring(0, 12), "0.0.0"),
                "local",
                sha256,
                sha256,
                List.of(tool),
                grants,
                SkillQuotas.DEFAULT,
                true, // the operator hands it in
                "",
                Map.of("module.wasm", module));
    }
}
