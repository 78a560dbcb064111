package palyra.bench.sandbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.bench.process.PlainUser;

/** The npm package {@code @anthropic-ai/sandbox-runtime}, another sandbox over bubblewrap. */
final class Srt {
    /** The program that measures it, in a folder beside its modules. */
    static final String SCRIPT = "srt.mjs";

    /** Its version. */
    static final String VERSION = "0.0.78";

    private static final String PACKAGE = "@anthropic-ai/sandbox-runtime";
    private static final String MODULES = "node_modules";
    private static final long INSTALL_SECONDS = 120;
    private static final ObjectMapper JSON = new ObjectMapper();

    private Srt() {}

    /** Has npm put it into a folder unless it is there; empty when that does not work. */
    static Optional<Path> open(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        boolean there =
                runs(folder, "node", "--version")
                        && (installed(folder)
                                || runs(
                                        folder,
                                        "npm",
                                        "install",
                                        "--prefix",
                                        folder.toString(),
                                        "--no-audit",
                                        "--no-fund",
                                        "--ignore-scripts",
                                        "--no-save",
                                        PACKAGE + "@" + VERSION));
        return there && installed(folder) ? Optional.of(folder) : Optional.empty();
    }

    private static boolean installed(Path folder) throws IOException {
        Path manifest = folder.resolve(MODULES).resolve(PACKAGE).resolve("package.json");
        return Files.isReadable(manifest)
                && JSON.readTree(manifest.toFile()).path("version").asText().equals(VERSION);
    }

    private static boolean runs(Path folder, String... command) throws InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectInput(Path.of("/dev/null").toFile())
                            .start();
            if (process.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
            return false;
        } catch (IOException absent) {
            return false; // there is no such program
        }
    }

    /** Copies modules and script to where another user can read them. */
    static void copy(Path from, Path to) throws IOException {
        PlainUser.copy(from.resolve(MODULES), to.resolve(MODULES));
        try (InputStream text = Srt.class.getResourceAsStream(SCRIPT)) {
            Files.copy(text, to.resolve(SCRIPT));
        }
    }
}
