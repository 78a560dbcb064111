package palyra.testing.sandbox;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import palyra.shared.files.FileTree;

/**
 * Runs a main class as an unprivileged user: as {@code palyra-test} when this is root, as oneself
 * otherwise. What it prints are results.
 */
public final class ChildJvm {
    static final String USER = "palyra-test";
    private static final long MINUTES = 8;

    private ChildJvm() {}

    /**
     * Runs it and returns its standard output.
     *
     * @param main has a main method whose first argument is a folder of its own
     */
    public static List<String> run(Class<?> main) throws IOException, InterruptedException {
        return run(main, "");
    }

    /** Runs it where it may make cgroups, and returns its standard output. */
    public static List<String> run(Class<?> main, CgroupRules groups)
            throws IOException, InterruptedException {
        return run(main, groups.variable());
    }

    private static List<String> run(Class<?> main, String groups)
            throws IOException, InterruptedException {
        for (String program :
                List.of(
                        "/usr/bin/socat",
                        "/usr/bin/curl",
                        "/usr/bin/gcc",
                        "/usr/bin/setpriv",
                        "/usr/bin/pgrep")) {
            if (!Files.isExecutable(Path.of(program))) {
                throw new IllegalStateException(
                        program + " is missing: apt install socat curl gcc util-linux procps");
            }
        }
        Path root = Files.createTempDirectory(Path.of("/tmp"), "palyra-abuse-");
        try {
            return run(main, groups, root);
        } finally {
            FileTree.remove(root);
        }
    }

    private static List<String> run(Class<?> main, String groups, Path root)
            throws IOException, InterruptedException {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path stand = Files.createDirectory(root.resolve("stand"));
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            user();
            CgroupRules.enter(command, groups);
            shell("chown " + USER + ": " + stand);
            command.addAll(
                    List.of(
                            "setpriv",
                            "--reuid=" + shell("id -u " + USER),
                            "--regid=" + shell("id -g " + USER),
                            "--clear-groups",
                            "--inh-caps=-all",
                            "--bounding-set=-all",
                            "--no-new-privs",
                            "--"));
        }
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Djava.io.tmpdir=" + stand,
                        "-cp",
                        classPath(root.resolve("classes")),
                        main.getName(),
                        stand.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).directory(stand.toFile());
        Path errors = root.resolve("errors");
        builder.redirectError(errors.toFile());
        builder.environment().put("PALYRA_SECRET_TOKEN", "of-the-gateway");
        builder.environment().remove("PALYRA_CGROUP");
        if (!groups.isEmpty()) {
            builder.environment().put("PALYRA_CGROUP", groups);
        }
        return output(builder.start(), errors);
    }

    private static List<String> output(Process process, Path errors)
            throws IOException, InterruptedException {
        Thread killer =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    try {
                                        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                                            process.destroyForcibly();
                                        }
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        List<String> lines;
        try (InputStream in = process.getInputStream()) {
            lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
        int code = process.waitFor();
        killer.interrupt();
        if (code != 0) {
            throw new IllegalStateException(
                    "The child JVM ended with "
                            + code
                            + " after "
                            + lines.size()
                            + " lines, the last of them "
                            + lines.subList(Math.max(0, lines.size() - 3), lines.size())
                            + ": "
                            + Files.readString(errors));
        }
        return lines;
    }

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Makes the user if it is missing. */
    static void user() throws IOException, InterruptedException {
        shell(
                "id "
                        + USER
                        + " >/dev/null 2>&1 || useradd --system --user-group --no-create-home"
                        + " --shell /usr/sbin/nologin "
                        + USER);
    }

    /** Copies everything to where the other user can read it. */
    private static String classPath(Path folder) throws IOException {
        Files.createDirectory(folder);
        List<String> entries = new ArrayList<>();
        String own =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        entries.addAll(List.of(own.split(File.pathSeparator, -1)));
        entries.add(launcher());
        List<String> copies = new ArrayList<>();
        for (String entry : entries) {
            Path from = Path.of(entry);
            if (!entry.isEmpty() && Files.exists(from)) {
                Path to = folder.resolve(copies.size() + "-" + from.getFileName());
                copy(from, to);
                copies.add(to.toString());
            }
        }
        return String.join(File.pathSeparator, copies);
    }

    /** Returns the launcher's jar: the neighbour's, or what is named in the environment. */
    private static String launcher() throws IOException {
        String named = System.getenv("PALYRA_TEST_LAUNCHER");
        if (named != null) {
            return named;
        }
        Path target = Path.of("..", "palyra.sandbox.posix", "target");
        if (Files.isDirectory(target)) {
            try (Stream<Path> files = Files.list(target)) {
                List<Path> jars =
                        files.filter(
                                        file ->
                                                file.toString()
                                                        .matches(".*SNAPSHOT\\.jar|.*\\d\\.jar"))
                                .toList();
                if (!jars.isEmpty()) {
                    return jars.get(0).toString();
                }
            }
        }
        throw new IllegalStateException(
                "The launcher is missing: build palyra.sandbox.posix before this bundle.");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (from.equals(file)) {
                    target = to;
                }
                Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static String shell(String script) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder("/bin/sh", "-c", script).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(script + " failed: " + text);
        }
        return text.strip();
    }
}
