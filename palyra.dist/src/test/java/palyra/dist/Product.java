package palyra.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** Where the build left what ships. */
final class Product {
    private Product() {}

    static Path root() {
        return Path.of(System.getProperty("palyra.root")).toAbsolutePath().normalize();
    }

    static Path folder() {
        return Path.of(System.getProperty("palyra.dist.folder"));
    }

    static Path archive() {
        return Path.of(System.getProperty("palyra.dist.archive"));
    }

    static String version() {
        return System.getProperty("palyra.version");
    }

    static Path bundle(String artifact) {
        return folder().resolve("bundles/5/" + artifact + "-" + version() + ".jar");
    }

    static List<Path> bundles() throws IOException {
        try (Stream<Path> files = Files.walk(folder().resolve("bundles"))) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
    }

    /** A header of a bundle's manifest without directives; empty when it has none. */
    static String header(Path jar, String name) {
        try (JarFile file = new JarFile(jar.toFile())) {
            String value = file.getManifest().getMainAttributes().getValue(name);
            return value == null ? "" : value.split(";", 2)[0].strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
