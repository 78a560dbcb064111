package palyra.skills.internal.offline;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.ExitCodes;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.artifact.ArtifactBuilder;
import palyra.skills.internal.artifact.ArtifactLimits;
import palyra.skills.internal.artifact.SkillKey;
import palyra.skills.internal.audit.AdmissionInspector;
import palyra.skills.internal.audit.AuditReport;
import palyra.skills.internal.audit.Auditor;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.trust.KeyRotation;

/** {@code palyra skills init|keygen|build|sign|verify|audit|rotate} without a gateway. */
public final class Main {
    private static final String HELP =
            """
            palyra skills init FOLDER --publisher P --id ID [--template minimal|c|assemblyscript|rust]
            palyra skills keygen FILE
            palyra skills build FOLDER -o FILE [--key KEYFILE]
            palyra skills sign FILE --key KEYFILE [-o FILE]
            palyra skills verify FILE
            palyra skills audit FILE
            palyra skills rotate PUBLISHER --old KEYFILE --new KEYFILE -o FILE
              These need no gateway. FILE may be - for standard input or output. --json gives JSON.
              Exit codes: 0 done, 1 the audit speaks against it, 64 wrong arguments, 65 the artifact
              is not good, 66 not found, 77 refused.""";

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private final Supplier<GatewayVersion> version;

    /**
     * Takes the streams of the caller.
     *
     * @param version the version of this program, for which skills are judged
     */
    Main(InputStream in, PrintStream out, PrintStream err, Supplier<GatewayVersion> version) {
        this.in = in;
        this.out = out;
        this.err = err;
        this.version = version;
    }

    /** Takes the words after {@code palyra skills}. */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        int exit = new Main(System.in, out, err, GatewayVersion::ofBuild).run(List.of(args));
        out.flush();
        System.exit(exit);
    }

    /** Runs one command and returns its exit code. */
    int run(List<String> args) {
        if (args.isEmpty() || args.contains("--help")) {
            out.println(HELP);
            return args.isEmpty() ? ExitCodes.USAGE : ExitCodes.OK;
        }
        boolean json = args.contains("--json");
        try {
            return run(args.get(0), CommandLine.parse(args.subList(1, args.size())));
        } catch (RefusedException e) {
            return failed(json, e.asPalyra().code(), e.asPalyra().getMessage());
        } catch (PalyraException e) {
            return failed(json, e.code(), e.getMessage());
        } catch (IOException | InvalidPathException e) {
            return failed(json, ErrorCode.NOT_FOUND, e.getMessage());
        }
    }

    /** Writes an error as the commands of a gateway do, and returns its exit code. */
    private int failed(boolean json, ErrorCode code, String sentence) {
        if (json) {
            ObjectNode root = new ObjectMapper().createObjectNode();
            root.putObject("error").put("code", code.name()).put("message", sentence);
            err.println(root);
        } else {
            err.println("palyra: " + sentence);
        }
        return ExitCodes.of(code);
    }

    private int run(String command, CommandLine given) throws IOException {
        return switch (command) {
            case "init" -> init(given);
            case "keygen" -> keygen(given);
            case "build" -> build(given);
            case "sign" -> sign(given);
            case "verify" -> verify(given);
            case "audit" -> audit(given);
            case "rotate" -> rotate(given);
            default ->
                    throw new PalyraException(
                            ErrorCode.INVALID_ARGUMENT,
                            "'"
                                    + command
                                    + "' is not a command; palyra skills --help lists the commands.");
        };
    }

    private int init(CommandLine given) {
        Path folder = Path.of(given.only("FOLDER", "publisher", "id", "template"));
        List<String> files =
                Templates.write(
                        folder,
                        given.option("template").orElse("minimal"),
                        given.needed("publisher"),
                        given.needed("id"));
        return fields(given, Map.of("folder", folder.toString(), "files", files));
    }

    private int keygen(CommandLine given) {
        SkillKey key = KeyFiles.generate(Path.of(given.only("FILE")));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("keyId", SkillKey.id(key.publicKey()));
        fields.put("publicKey", key.publicHex());
        return fields(given, fields);
    }

    private int build(CommandLine given) throws IOException {
        String folder = given.only("FOLDER", "o", "key");
        byte[] file = ArtifactBuilder.build(Path.of(folder));
        Optional<String> key = given.option("key");
        if (key.isPresent()) {
            file = signed(file, key.get());
        }
        write(given.needed("o"), file);
        return ExitCodes.OK;
    }

    private static byte[] signed(byte[] file, String key) {
        byte[] made =
                ArtifactBuilder.sign(file, KeyFiles.read(Path.of(key)), System.currentTimeMillis());
        Artifact.verify(made);
        return made;
    }

    private int sign(CommandLine given) throws IOException {
        String name = given.only("FILE", "key", "o");
        byte[] made = signed(read(name), given.needed("key"));
        write(given.option("o").orElse(name), made);
        return ExitCodes.OK;
    }

    private int verify(CommandLine given) throws IOException {
        return fields(
                given,
                ArtifactFields.artifact(Artifact.verify(read(given.only("FILE"))), version.get()));
    }

    private int audit(CommandLine given) throws IOException {
        Artifact artifact = Artifact.verify(read(given.only("FILE")));
        AuditReport report =
                new Auditor(new AdmissionInspector(), Optional.empty()).audit(artifact);
        if (given.json()) {
            out.println(report.json());
        } else {
            ArtifactFields.checks(report).stream()
                    .filter(row -> !row.get(1).equals("pass"))
                    .forEach(row -> out.println(String.join("  ", row)));
            out.println(report.passed() ? "passed" : "not passed: " + report.reasons());
        }
        return report.passed() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private int rotate(CommandLine given) throws IOException {
        byte[] rotation =
                KeyRotation.make(
                        given.only("PUBLISHER", "old", "new", "o"),
                        KeyFiles.read(Path.of(given.needed("old"))),
                        KeyFiles.read(Path.of(given.needed("new"))),
                        System.currentTimeMillis());
        KeyRotation.verify(rotation);
        write(given.needed("o"), rotation);
        return ExitCodes.OK;
    }

    private byte[] read(String name) throws IOException {
        if (name.equals("-")) {
            return in.readNBytes(ArtifactLimits.MAX_BYTES + 1);
        }
        if (!Files.isRegularFile(Path.of(name))) {
            throw new PalyraException(ErrorCode.NOT_FOUND, "File not found: " + name + ".");
        }
        try (InputStream file = Files.newInputStream(Path.of(name))) {
            return file.readNBytes(ArtifactLimits.MAX_BYTES + 1);
        }
    }

    private void write(String name, byte[] bytes) throws IOException {
        if (name.equals("-")) {
            out.write(bytes);
            out.flush();
        } else {
            Files.write(Path.of(name), bytes);
        }
    }

    private int fields(CommandLine given, Map<String, Object> fields) {
        if (given.json()) {
            ObjectNode json = new ObjectMapper().valueToTree(fields);
            out.println(json);
        } else {
            fields.forEach(
                    (name, value) -> {
                        if (value instanceof List<?> list) {
                            list.forEach(each -> out.println(name + ": " + each));
                        } else {
                            out.println(name + ": " + value);
                        }
                    });
        }
        return ExitCodes.OK;
    }
}
