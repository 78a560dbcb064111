package palyra.bench.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import palyra.bench.Setting;
import palyra.bench.process.PlainUser;

/**
 * Runs {@link SpawnWork} or {@link CommandWork} in a JVM of its own: as a user without rights when
 * this is root, because no tier runs anything for root; as oneself otherwise. Class path and peers
 * are copied to where that user can read them.
 */
final class MeasuringProcess {
    /** Name of the C program. */
    static final String PEER = "palyra-peer";

    private static final long MINUTES = 30;
    private static final long TOOL_MINUTES = 2;

    /** One class of everything that is needed. */
    private static final List<String> NEEDED =
            List.of(
                    "palyra.bench.sandbox.SpawnWork",
                    "palyra.api.ErrorCode",
                    "palyra.api.core.sandbox.SandboxSpec",
                    "palyra.shared.gate.Gate",
                    "palyra.testing.journal.MemoryJournal",
                    "palyra.sandbox.internal.wiring.SandboxParts",
                    "palyra.sandbox.posix.internal.PosixComponent",
                    "palyra.sandbox.tierb.internal.TierBBackend",
                    "palyra.sandbox.tierc.linux.internal.TierCBackend",
                    "com.sun.jna.Native",
                    "com.fasterxml.jackson.databind.ObjectMapper",
                    "com.fasterxml.jackson.core.JsonParser",
                    "com.fasterxml.jackson.annotation.JsonProperty",
                    "org.osgi.framework.BundleContext",
                    "org.slf4j.LoggerFactory");

    private MeasuringProcess() {}

    /** Returns why nothing can be measured on this machine; empty when it can. */
    static Optional<String> obstacle() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return Optional.of("the sandbox tiers need Linux");
        }
        return PlainUser.onPath("gcc") && PlainUser.onPath("make")
                ? PlainUser.obstacle()
                : Optional.of("gcc or make is missing: apt install gcc libc6-dev make");
    }

    /**
     * Measures and returns the lines that the process printed.
     *
     * @param work its class; gets an own folder, the folder of the peer, and these numbers
     */
    static List<String> run(Class<?> work, int... numbers)
            throws IOException, InterruptedException {
        Path root = Files.createTempDirectory("palyra-bench-");
        try {
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path stand = Files.createDirectory(root.resolve("stand"));
            Path peers = Files.createDirectory(root.resolve("peers"));
            compile(peers);
            List<String> command = new ArrayList<>(PlainUser.words(stand));
            command.addAll(
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-Xmx256m",
                            "-Dslf4j.internal.verbosity=ERROR",
                            "-Djava.io.tmpdir=" + stand,
                            "-cp",
                            PlainUser.classPath(root.resolve("classes"), NEEDED),
                            work.getName(),
                            stand.toString(),
                            peers.toString()));
            IntStream.of(numbers).forEach(number -> command.add("" + number));
            PlainUser.tool("chmod", "-R", "a+rX", root.toString());
            return output(command, stand);
        } finally {
            Setting.delete(root);
        }
    }

    private static void compile(Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve("peer.c");
        try (InputStream text = MeasuringProcess.class.getResourceAsStream("peer.c")) {
            Files.copy(text, source);
        }
        PlainUser.tool("gcc", "-O2", "-o", folder.resolve(PEER).toString(), source.toString());
    }

    private static List<String> output(List<String> command, Path stand)
            throws IOException, InterruptedException {
        Path lines = stand.resolveSibling("output");
        Process process =
                new ProcessBuilder(command)
                        .directory(stand.toFile())
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .redirectOutput(lines.toFile())
                        .start();
        try {
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IOException("the measuring process did not end well; see above");
            }
            return Files.readAllLines(lines);
        } finally {
            process.destroyForcibly();
            process.waitFor(TOOL_MINUTES, TimeUnit.MINUTES);
        }
    }
}
