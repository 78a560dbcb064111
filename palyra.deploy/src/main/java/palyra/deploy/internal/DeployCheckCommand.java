package palyra.deploy.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.shared.files.CallerFiles;

/** {@code deploy check FILE}: reads a jar as the drop-in folder would, and changes nothing. */
final class DeployCheckCommand implements Command {
    private static final int MOST_AT_ONCE = 2;
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "deploy check",
                    "Says what a jar is, who signed all of it, and whether it is trusted",
                    """
                    The jar is read whole, as one in the drop-in folder is, and forgotten. It is
                    trusted when its digest, or the signer of all of it, is pinned; the
                    certificate of a signer has to be valid now.
                    Exit code 0: it is trusted; 1: it is not.""",
                    List.of(),
                    List.of(PositionalSpec.required("FILE", "A jar, or - for standard input")),
                    DeployListCommand.ACTION,
                    false);

    private final PinStore pins;
    private final Supplier<DeploySettings> settings;
    private final Path folder;
    private final Semaphore turns = new Semaphore(MOST_AT_ONCE);

    /**
     * @param folder for copies while they are read
     */
    DeployCheckCommand(PinStore pins, Supplier<DeploySettings> settings, Path folder) {
        this.pins = pins;
        this.settings = settings;
        this.folder = folder;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        if (!turns.tryAcquire()) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    MOST_AT_ONCE + " jars are being checked already; try again in a moment.");
        }
        try {
            return tell(context, facts(context));
        } catch (UnusableFileException e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, e.getMessage() + " " + e.remedy(), e);
        } finally {
            turns.release();
        }
    }

    private JarFacts facts(CommandContext context) throws IOException, UnusableFileException {
        DeploySettings now = settings.get();
        Files.createDirectories(folder);
        Path copy = Files.createTempFile(folder, "check", ".jar");
        try {
            String sha256 = copy(context, copy, now.maxFileBytes());
            return JarReader.read(copy, sha256, now.maxExpandedBytes());
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    private static String copy(CommandContext context, Path copy, long maxBytes)
            throws IOException, UnusableFileException {
        String name = context.arguments().positional(0).orElse("-");
        MessageDigest digest = sha256();
        try (InputStream given = name.equals("-") ? context.in() : open(context, name);
                InputStream in = new DigestInputStream(given, digest);
                OutputStream out = Files.newOutputStream(copy)) {
            byte[] buffer = new byte[64 * 1024];
            long total = 0;
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                total += count;
                if (total > maxBytes) {
                    throw new UnusableFileException(
                            "It has more than " + maxBytes + " bytes.",
                            "Make it smaller, or raise maxFileBytes of palyra.deploy.");
                }
                out.write(buffer, 0, count);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static InputStream open(CommandContext context, String name) throws IOException {
        Path file = CallerFiles.file(context, name, "pipe the jar to -");
        if (!Files.isRegularFile(file)) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND, "There is no file " + file + "; check the path.");
        }
        return Files.newInputStream(file);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private int tell(CommandContext context, JarFacts facts) {
        PinSet all = new PinSet(settings.get().pins(), pins.load());
        PinSet.Cover cover = all.cover(facts, false, System.currentTimeMillis());
        Optional<PinSet.Entry> pin = cover.pin().filter(covering -> cover.trusted());
        Map<String, Object> fields = new LinkedHashMap<>();
        DeployStatusCommand.addFacts(fields, facts);
        fields.put("trusted", pin.isPresent());
        fields.put("pin", pin.map(entry -> entry.pin().toString()).orElse(""));
        fields.put("pinnedBy", pin.map(PinSet.Entry::origin).orElse(""));
        fields.put("remedy", pin.isPresent() ? "" : remedy(facts, cover));
        context.output().fields(fields);
        return pin.isPresent() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static String remedy(JarFacts facts, PinSet.Cover cover) {
        String alone = "To trust this file alone: palyra deploy pin sha256:" + facts.sha256();
        return cover.outOfTime()
                ? DeployMessages.outOfTime(facts) + " Sign it again. " + alone
                : alone;
    }

    /** Removes copies that a crash left. */
    static void tidy(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            try (var left = Files.newDirectoryStream(folder, "check*.jar")) {
                for (Path each : left) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }
}
