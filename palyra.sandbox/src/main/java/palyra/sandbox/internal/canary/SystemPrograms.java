package palyra.sandbox.internal.canary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Programs of the system that canaries use, where a sandbox shows them. */
final class SystemPrograms {
    private static final List<String> FOLDERS = List.of("/usr/bin", "/bin", "/usr/sbin", "/sbin");

    private SystemPrograms() {}

    /** Returns the real path of a program; empty when it is not installed. */
    static Optional<String> find(String name) {
        for (String folder : FOLDERS) {
            Path path = Path.of(folder, name);
            if (Files.isExecutable(path)) {
                return real(path);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> real(Path path) {
        try {
            return Optional.of(path.toRealPath().toString());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
