package palyra.sandbox.posix.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of an unprivileged user that runs cases. As root the build's files are copied to where that
 * user can read them, and its user is made if it is missing; not as root, the user is this one.
 */
final class Child {
    static final String USER = "palyra-test";
    private static final long WAIT_MINUTES = 8;

    private Child() {}

    static boolean root() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Runs cases and returns the lines that it printed. {@code group} may be empty. */
    static List<String> run(String group, List<String> classes) throws Exception {
        Path folder = Files.createTempDirectory("palyra-posix-child-");
        try {
            List<String> command = new ArrayList<>();
            if (root()) {
                makeUser();
                Cgroups.enter(command, group);
                command.addAll(
                        List.of(
                                "setpriv",
                                "--reuid=" + USER,
                                "--regid=" + USER,
                                "--clear-groups",
                                "--inh-caps=-all",
                                "--bounding-set=-all",
                                "--no-new-privs",
                                "--"));
            }
            command.add(System.getProperty("java.home") + "/bin/java");
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-Xmx192m", "-cp"));
            command.add(root() ? copied(folder) : System.getProperty("java.class.path"));
            command.add(CaseRunner.class.getName());
            command.addAll(classes);
            return start(command, group, folder);
        } finally {
            delete(folder);
        }
    }

    private static List<String> start(List<String> command, String group, Path folder)
            throws Exception {
        Path out = folder.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        builder.environment().put("LC_ALL", "C"); // arguments must not depend on it
        if (!group.isEmpty()) {
            builder.environment().put("PALYRA_CGROUP", group);
        }
        builder.directory(folder.toFile());
        builder.redirectErrorStream(true).redirectOutput(out.toFile());
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(WAIT_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
        }
        return new String(Files.readAllBytes(out), StandardCharsets.ISO_8859_1).lines().toList();
    }

    private static void makeUser() throws Exception {
        if (new ProcessBuilder("id", "-u", USER).start().waitFor() != 0) {
            int made =
                    new ProcessBuilder(
                                    List.of(
                                            "useradd",
                                            "--system",
                                            "--user-group",
                                            "--no-create-home",
                                            "--shell",
                                            "/usr/sbin/nologin",
                                            USER))
                            .inheritIO()
                            .start()
                            .waitFor();
            if (made != 0) {
                throw new AssertionError("the user " + USER + " cannot be made by useradd");
            }
        }
    }

    private static String copied(Path folder) throws IOException {
        List<String> copies = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(":")) {
            Path source = Path.of(entry);
            if (Files.exists(source)) {
                Path target = folder.resolve("cp" + copies.size() + "-" + source.getFileName());
                copy(source, target);
                copies.add(target.toString());
            }
        }
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        return String.join(":", copies);
    }

    private static void copy(Path source, Path target) throws IOException {
        Files.walkFileTree(
                source,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path at, BasicFileAttributes facts)
                            throws IOException {
                        place(at, "rwxr-xr-x");
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path at, BasicFileAttributes facts)
                            throws IOException {
                        place(at, "rw-r--r--");
                        return FileVisitResult.CONTINUE;
                    }

                    private void place(Path at, String mode) throws IOException {
                        Path to = target.resolve(source.relativize(at).toString());
                        to = at.equals(source) ? target : to;
                        Files.copy(at, to, StandardCopyOption.REPLACE_EXISTING);
                        Files.setPosixFilePermissions(to, PosixFilePermissions.fromString(mode));
                    }
                });
    }

    private static void delete(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            for (Path each : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
