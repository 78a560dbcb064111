package palyra.bench.process;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How to measure as a user without rights: as another one when this is root, because no sandbox
 * runs anything for root; as oneself otherwise. What that user reads is copied to where it can.
 */
public final class PlainUser {
    private static final String USER = "palyra-test";
    private static final long TOOL_MINUTES = 2;

    private PlainUser() {}

    /** Returns a program that is missing for this, with what installs it; empty when none is. */
    public static Optional<String> obstacle() {
        List<String> needed = root() ? List.of("setpriv", "useradd") : List.of();
        return needed.stream()
                .filter(program -> !onPath(program))
                .findFirst()
                .map(program -> program + " is missing: apt install util-linux passwd");
    }

    private static boolean root() {
        return System.getProperty("user.name").equals("root");
    }

    /** Returns whether there is a program of this name. */
    public static boolean onPath(String program) {
        String path = System.getenv("PATH") + ":/usr/sbin:/sbin";
        return Stream.of(path.split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Returns the words before a command that run it as this user, and gives the user a folder. */
    public static List<String> words(Path folder) throws IOException, InterruptedException {
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
        tool("chown", USER + ":", folder.toString());
        List<String> words = new ArrayList<>();
        words.addAll(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups"));
        words.add("--inh-caps=-all");
        words.addAll(List.of("--bounding-set=-all", "--no-new-privs"));
        words.add("--");
        return words;
    }

    /**
     * Copies what classes come from into a new folder, and returns the class path of the copies.
     */
    public static String classPath(Path folder, List<String> needed) throws IOException {
        Files.createDirectory(folder);
        List<Path> origins = new ArrayList<>();
        for (String name : needed) {
            Path origin = origin(name);
            if (!origins.contains(origin)) {
                origins.add(origin);
            }
        }
        List<String> copies = new ArrayList<>();
        for (Path from : origins) {
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
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path target = from.equals(file) ? to : to.resolve(from.relativize(file).toString());
                Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Runs a program, which must succeed. */
    public static void tool(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(TOOL_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " failed: " + said.strip());
        }
    }
}
