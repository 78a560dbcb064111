package palyra.bench.sandbox;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import palyra.bench.Setting;

/**
 * Runs {@link SandboxWork} in a JVM of its own: as a user without rights when this is root, because
 * no tier runs anything for root; as oneself otherwise. Class path and peers are copied to where
 * that user can read them.
 */
final class MeasuringProcess {
    /** Name of the C program. */
    static final String PEER = "palyra-peer";

    private static final String USER = "palyra-test";
    private static final long MINUTES = 10;
    private static final long TOOL_MINUTES = 2;

    /** One class of everything that is needed. */
    private static final List<String> NEEDED =
            List.of(
                    "palyra.bench.sandbox.SandboxWork",
                    "palyra.api.ErrorCode",
                    "palyra.api.core.sandbox.SandboxSpec",
                    "palyra.shared.gate.Gate",
                    "palyra.sandbox.posix.internal.PosixComponent",
                    "palyra.sandbox.tierb.internal.TierBBackend",
                    "palyra.sandbox.tierc.linux.internal.TierCBackend",
                    "com.sun.jna.Native",
                    "com.fasterxml.jackson.databind.ObjectMapper",
                    "com.fasterxml.jackson.core.JsonParser",
                    "com.fasterxml.jackson.annotation.JsonProperty",
                    "org.slf4j.LoggerFactory");

    private MeasuringProcess() {}

    /** Returns why nothing can be measured on this machine; empty when it can. */
    static Optional<String> obstacle() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return Optional.of("these are sandboxes of Linux");
        }
        List<String> needed = root() ? List.of("gcc", "setpriv", "useradd") : List.of("gcc");
        return needed.stream()
                .filter(program -> !onPath(program))
                .findFirst()
                .map(
                        program ->
                                program
                                        + " is missing: apt install gcc libc6-dev util-linux passwd");
    }

    private static boolean root() {
        return System.getProperty("user.name").equals("root");
    }

    private static boolean onPath(String program) {
        String path = System.getenv("PATH") + ":/usr/sbin:/sbin";
        return Stream.of(path.split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /**
     * Measures.
     *
     * @param what as in {@link SandboxWork#main}
     * @param modules a folder with srt in it; empty for none
     * @return the lines that it told
     */
    static List<String> run(String what, Optional<Path> modules, int rounds, int count)
            throws IOException, InterruptedException {
        Path root = Files.createTempDirectory("palyra-bench-");
        try {
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path stand = Files.createDirectory(root.resolve("stand"));
            Path peers = Files.createDirectory(root.resolve("peers"));
            compile(peers);
            if (modules.isPresent()) {
                Srt.copy(modules.get(), peers);
            }
            List<String> command = new ArrayList<>(unprivileged(stand));
            command.addAll(
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-Xmx256m",
                            "-Dslf4j.internal.verbosity=ERROR",
                            "-Djava.io.tmpdir=" + stand,
                            "-cp",
                            classPath(root.resolve("classes")),
                            SandboxWork.class.getName(),
                            what,
                            stand.toString(),
                            peers.toString(),
                            "" + rounds,
                            "" + count));
            tool("chmod", "-R", "a+rX", root.toString());
            return told(command, stand);
        } finally {
            Setting.delete(root);
        }
    }

    private static void compile(Path folder) throws IOException, InterruptedException {
        Path source = folder.resolve("peer.c");
        try (InputStream text = MeasuringProcess.class.getResourceAsStream("peer.c")) {
            Files.copy(text, source);
        }
        tool("gcc", "-O2", "-o", folder.resolve(PEER).toString(), source.toString());
    }

    private static List<String> unprivileged(Path stand) throws IOException, InterruptedException {
        if (!root()) {
            return List.of();
        }
        tool(
                "sh",
                "-c",
                "id "
                        + USER
                        + " >/dev/null 2>&1 || useradd --system --user-group --no-create-home"
                        + " --shell /usr/sbin/nologin "
                        + USER);
        tool("chown", USER + ":", stand.toString());
        List<String> words = new ArrayList<>();
        words.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups"));
        words.add("--inh-caps=-all");
        if (!onPath("firejail")) { // a program that becomes root by itself
            words.addAll(List.of("--bounding-set=-all", "--no-new-privs"));
        }
        words.add("--");
        return words;
    }

    private static String classPath(Path folder) throws IOException {
        Files.createDirectory(folder);
        List<String> copies = new ArrayList<>();
        for (String name : NEEDED) {
            Path from = origin(name);
            Path to = folder.resolve(copies.size() + "-" + from.getFileName());
            copy(from, to);
            copies.add(to.toString());
        }
        return String.join(File.pathSeparator, copies);
    }

    private static Path origin(String name) throws IOException {
        try {
            return Path.of(
                    Class.forName(name)
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI());
        } catch (ClassNotFoundException | URISyntaxException e) {
            throw new IOException("the class path has no " + name + ": build all modules", e);
        }
    }

    /** Copies a file, or a folder with everything in it. */
    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = from.equals(file) ? to : to.resolve(from.relativize(file).toString());
                Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static List<String> told(List<String> command, Path stand)
            throws IOException, InterruptedException {
        Path lines = stand.resolveSibling("told");
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

    private static void tool(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(TOOL_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " failed: " + said.strip());
        }
    }
}
