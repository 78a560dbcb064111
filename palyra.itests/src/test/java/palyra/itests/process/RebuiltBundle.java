package palyra.itests.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Another build of a bundle that ships. */
final class RebuiltBundle {
    private RebuiltBundle() {}

    /** Writes a copy of a bundle with other headers, and without some of its entries. */
    static Path write(Path jar, Path to, Map<String, String> headers, Predicate<String> without)
            throws IOException {
        try (JarFile from = new JarFile(jar.toFile());
                OutputStream file = Files.newOutputStream(to)) {
            Manifest manifest = new Manifest(from.getManifest());
            headers.forEach((key, value) -> manifest.getMainAttributes().putValue(key, value));
            try (JarOutputStream out = new JarOutputStream(file, manifest)) {
                for (JarEntry entry : (Iterable<JarEntry>) from.stream()::iterator) {
                    if (!entry.getName().equals(JarFile.MANIFEST_NAME)
                            && !without.test(entry.getName())) {
                        out.putNextEntry(new JarEntry(entry.getName()));
                        from.getInputStream(entry).transferTo(out);
                        out.closeEntry();
                    }
                }
            }
        }
        return to;
    }
}
