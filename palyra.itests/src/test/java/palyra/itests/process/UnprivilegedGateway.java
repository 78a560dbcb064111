package palyra.itests.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import palyra.itests.Dist;
import palyra.itests.Wait;

/**
 * The installed product, started by its own script as an operator does: as root it becomes the user
 * {@code palyra-test}, which it makes if need be, because no process tier works with root's rights.
 */
final class UnprivilegedGateway implements AutoCloseable {
    /** Setting that lets this test in by the command socket, whoever the gateway runs as. */
    static final String LET_THE_TEST_IN =
            "palyra.access:localPeers=" + System.getProperty("user.name") + "=operator";

    private static final String USER = "palyra-test";
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Path folder;
    private final Path home;
    private Process process;

    private UnprivilegedGateway(Path folder, Path home) {
        this.folder = folder;
        this.home = home;
    }

    /** Installs the product where every user can read it. */
    static UnprivilegedGateway install() throws Exception {
        Path folder =
                Files.createTempDirectory(
                        Path.of("/tmp"),
                        "palyra-sbx",
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwxr-xr-x")));
        Path home = Dist.copy(folder.resolve("home"));
        run(List.of("chmod", "-R", "u=rwX,go=rX", home.toString()));
        UnprivilegedGateway gateway = new UnprivilegedGateway(folder, home);
        if (isRoot()) {
            run(
                    List.of(
                            "sh",
                            "-c",
                            "id "
                                    + USER
                                    + " >/dev/null 2>&1 || useradd --system"
                                    + " --user-group --no-create-home --shell /usr/sbin/nologin "
                                    + USER));
            run(List.of("install", "-d", "-m", "0755", "-o", USER, gateway.own().toString()));
        } else {
            Files.createDirectory(gateway.own());
        }
        return gateway;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static void run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (process.waitFor() != 0) {
            throw new AssertionError(command + " ended with " + process.exitValue());
        }
    }

    /** Returns a folder that every user reads and the test writes. */
    Path folder() {
        return folder;
    }

    /** Returns a client without a process of its own; needs {@link #LET_THE_TEST_IN}. */
    CommandClient client() {
        return new CommandClient(state().resolve("run/command.sock"));
    }

    /** Returns what a metric is now, of those with a label in it; -1 when nobody tells. */
    double metric(String name, String label) throws Exception {
        String http =
                CommandClient.JSON
                        .readTree(own().resolve("ready.json").toFile())
                        .path("endpoints")
                        .path("http")
                        .asText();
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(http + "/metrics")).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body()
                .lines()
                .filter(line -> line.startsWith(name) && line.contains(label))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .max()
                .orElse(-1);
    }

    /** Replaces a bundle by a rebuilt one, as an operator does; returns when it is done. */
    void swap(String bundle, int round) throws Exception {
        Path jar =
                RebuiltBundle.write(
                        Dist.bundle(bundle),
                        folder.resolve(bundle + ".jar"),
                        Map.of("Palyra-Round", Integer.toString(round)),
                        entry -> false);
        client().run("swap", bundle, jar.toString()).ok();
    }

    /** Returns a folder of the gateway's user, with state and workspaces in it. */
    Path own() {
        return folder.resolve("own");
    }

    Path state() {
        return own().resolve("state");
    }

    /** Returns the folder where an agent works. */
    Path workspace(String agent) {
        return own().resolve("state-workspaces").resolve(agent);
    }

    Path home() {
        return home;
    }

    /** Starts it and waits until it is ready. */
    UnprivilegedGateway up(String... options) throws Exception {
        Path ready = own().resolve("ready.json");
        Files.deleteIfExists(ready);
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "up",
                                "--headless",
                                "--http-port",
                                "0",
                                "--set",
                                "palyra.transport.grpc:port=0"));
        arguments.addAll(List.of(options));
        ProcessBuilder builder = script(arguments);
        builder.environment().put("PALYRA_READY_FILE", ready.toString());
        builder.redirectErrorStream(true);
        builder.redirectOutput(folder.resolve("console").toFile());
        process = builder.start();
        Wait.until(
                "the gateway to be ready",
                PATIENCE,
                () -> Files.exists(ready) || !process.isAlive(),
                this::console);
        if (!process.isAlive()) {
            throw new AssertionError("the gateway ended with " + process.exitValue() + console());
        }
        return this;
    }

    private ProcessBuilder script(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(program());
        command.addAll(arguments);
        return process(command);
    }

    private String program() {
        return home.resolve("bin/palyra").toString();
    }

    private ProcessBuilder process(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("PALYRA_STATE", state().toString());
        environment.put("PALYRA_JAVA_HOME", System.getProperty("java.home"));
        environment.put("PALYRA_JAVA_OPTS", "-XX:TieredStopAtLevel=1"); // compiled sooner
        if (isRoot()) {
            environment.put("PALYRA_USER", USER);
        }
        return builder;
    }

    /** Runs a command of the gateway as its user does. */
    CommandClient.Result run(String... argv) throws Exception {
        return runWith("", argv);
    }

    /** Runs a command with input. */
    CommandClient.Result runWith(String input, String... argv) throws Exception {
        return run(input, script(List.of(argv)));
    }

    /**
     * Runs a command in a folder; Maven and bnd, if it calls them, use the repository of this
     * build. What that lacks stays in this module's {@code target}.
     */
    CommandClient.Result runIn(Path place, String... argv) throws Exception {
        return run("", scriptIn(place, argv));
    }

    /** Starts a command in a folder that the caller ends; its output goes to a file. */
    Process startIn(Path place, Path output, String... argv) throws Exception {
        return scriptIn(place, argv)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** Runs a command that finds other programs in a folder before those of the system. */
    CommandClient.Result runWithPrograms(Path programs, String... argv) throws Exception {
        ProcessBuilder builder = script(List.of(argv));
        builder.environment()
                .merge("PATH", programs.toString(), (path, first) -> first + ":" + path);
        return run("", builder);
    }

    /** Runs a command in a folder for a state folder that no gateway uses. */
    CommandClient.Result runWithoutGateway(Path place, String... argv) throws Exception {
        ProcessBuilder builder = scriptIn(place, argv);
        Path none = Files.createDirectories(folder.resolve("no-gateway"));
        builder.environment().put("PALYRA_STATE", none.toString());
        return run("", builder);
    }

    private ProcessBuilder scriptIn(Path place, String... argv) {
        ProcessBuilder builder = script(List.of(argv)).directory(place.toFile());
        String repository = System.getProperty("org.ops4j.pax.url.mvn.localRepository");
        // The installation's own api comes first: another build may have left one of this version.
        builder.environment()
                .put(
                        "MAVEN_ARGS",
                        "-Dmaven.repo.local="
                                + Dist.root().resolve("palyra.itests/target/m2")
                                + " -Dmaven.repo.local.tail="
                                + home.resolve("maven")
                                + ","
                                + repository);
        builder.environment().put("PALYRA_BND_OPTS", "-Dmaven.repo.local=" + repository);
        return builder;
    }

    /** Runs a script that sends its commands to this gateway. */
    CommandClient.Result runScript(Path script) throws Exception {
        ProcessBuilder builder = process(List.of(script.toString()));
        builder.environment().put("PALYRA", program());
        return run("", builder);
    }

    private CommandClient.Result run(String input, ProcessBuilder builder) throws Exception {
        Path in = Files.writeString(Files.createTempFile(folder, "in", ""), input);
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        try {
            Process command =
                    builder.redirectInput(in.toFile())
                            .redirectOutput(out.toFile())
                            .redirectError(err.toFile())
                            .start();
            if (!command.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                command.destroyForcibly();
                throw new AssertionError("no end of " + builder.command() + console());
            }
            return new CommandClient.Result(
                    command.exitValue(),
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            Files.delete(in);
            Files.delete(out);
            Files.delete(err);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Ends it at once, as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private String console() {
        try {
            return "\n--- console ---\n" + Files.readString(folder.resolve("console"));
        } catch (IOException e) {
            return "\n--- no console: " + e.getMessage();
        }
    }

    @Override
    public void close() throws IOException {
        if (process != null) {
            if (!process.isAlive()) {
                System.out.println("the gateway ended with " + process.exitValue() + console());
            }
            process.destroy();
            process.onExit().orTimeout(30, TimeUnit.SECONDS).exceptionally(late -> kill9()).join();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private Process kill9() {
        return process.destroyForcibly();
    }
}
