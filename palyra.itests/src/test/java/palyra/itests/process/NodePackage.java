package palyra.itests.process;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import palyra.itests.Dist;

/** What comes from npm for a test, fetched once beside the other results of the build. */
final class NodePackage {
    private static final long INSTALL_MINUTES = 10;

    private NodePackage() {}

    /**
     * Copies a package and fetches what it needs; another JVM that wants the same waits.
     *
     * @param source folder below {@code src/test}
     * @param target folder below {@code target}
     * @return where it is
     * @throws AssertionError when there is no npm, or it does not succeed
     */
    static Path install(String source, String target) throws Exception {
        Path module = Dist.root().resolve("palyra.itests");
        Path folder = module.resolve("target").resolve(target);
        try (FileChannel lock =
                        FileChannel.open(
                                folder.resolveSibling(target + ".lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock held = lock.lock()) {
            copy(module.resolve("src/test").resolve(source), folder);
            Path wanted = folder.resolve("package-lock.json");
            Path installed = folder.resolve("node_modules/installed-lock.json");
            if (!Files.exists(installed) || Files.mismatch(wanted, installed) >= 0) {
                npm(folder);
                Files.copy(wanted, installed, StandardCopyOption.REPLACE_EXISTING);
            }
            return folder;
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (file.startsWith(from.resolve("node_modules"))) {
                    continue; // it was tried where its source is
                }
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    private static void npm(Path folder) throws Exception {
        Path log = folder.resolve("npm.log");
        Process npm;
        try {
            npm =
                    new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
        } catch (IOException e) {
            throw missing("npm", e);
        }
        if (!npm.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || npm.exitValue() != 0) {
            npm.destroyForcibly();
            throw new AssertionError("npm ci does not succeed:\n" + Files.readString(log));
        }
    }

    static AssertionError missing(String program, IOException e) {
        return new AssertionError(
                "there is no "
                        + program
                        + ": install node 18 or newer and npm (apt-get install nodejs npm)",
                e);
    }
}
