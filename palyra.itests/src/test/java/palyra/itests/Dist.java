package palyra.itests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What ships: the folder that the build made, read and never written. */
public final class Dist {
    private Dist() {}

    /** Returns the folder with {@code bin}, {@code bundles}, {@code conf} and {@code lib}. */
    public static Path folder() {
        Path folder = root().resolve("palyra.dist/target/palyra");
        if (!Files.isDirectory(folder.resolve("bundles"))) {
            throw new IllegalStateException(
                    folder + " is missing: build palyra.dist before these tests run");
        }
        return folder;
    }

    /** Returns the top of the repository. */
    public static Path root() {
        return BuiltBundle.root();
    }

    /** Returns the bundles that ship, in the order in which the launcher installs them. */
    public static List<Path> bundles() {
        try (Stream<Path> files = Files.walk(folder().resolve("bundles"))) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted((a, b) -> order(a).compareTo(order(b)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String order(Path jar) {
        return String.format("%03d/%s", level(jar), jar.getFileName());
    }

    /** Returns the number of the folder that a bundle lies in. */
    public static int level(Path jar) {
        return Integer.parseInt(jar.getParent().getFileName().toString());
    }

    /** Returns the shipped jar of a bundle of ours. */
    public static Path bundle(String symbolicName) {
        return bundles().stream()
                .filter(jar -> jar.getFileName().toString().startsWith(symbolicName + "-"))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(symbolicName + " does not ship"));
    }

    /** Returns the jar of the example tool {@code palyra.test.append}, which does not ship. */
    public static Path example() {
        try {
            return BuiltBundle.all().stream()
                    .filter(bundle -> bundle.name().equals("palyra.examples.append"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("build the example first"))
                    .jar();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies what ships to a new folder and adds bundles of our own to its folder 5. */
    public static Path copy(Path to, Path... added) throws IOException {
        Path from = folder();
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                    target.toFile().setExecutable(Files.isExecutable(file), false);
                }
            }
        }
        for (Path jar : added) {
            Files.copy(jar, to.resolve("bundles/5").resolve(jar.getFileName()));
        }
        return to;
    }
}
