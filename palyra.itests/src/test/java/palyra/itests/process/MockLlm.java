package palyra.itests.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import palyra.itests.Dist;

/**
 * The model server of src/test/mockllm: {@code @dwmkerr/mock-llm} from npm, which this project did
 * not write. It repeats what the user said, a few characters at a time.
 */
final class MockLlm implements AutoCloseable {
    private static final long INSTALL_MINUTES = 10;
    private static final List<String> FILES =
            List.of("package.json", "package-lock.json", "server.mjs", "rules.yaml");

    private final Process node;
    private final int port;

    private MockLlm(Process node, int port) {
        this.node = node;
        this.port = port;
    }

    /** Fetches what it needs beside the other results of the build, and starts it. */
    static MockLlm start() throws Exception {
        Path module = Dist.root().resolve("palyra.itests");
        Path folder = module.resolve("target/mock-llm");
        Files.createDirectories(folder);
        try (FileChannel lock =
                        FileChannel.open(
                                module.resolve("target/mock-llm.lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                FileLock held = lock.lock()) {
            install(module.resolve("src/test/mockllm"), folder);
        }
        Process node =
                process(folder, "node", "server.mjs", "rules.yaml")
                        .redirectError(folder.resolve("errors.txt").toFile())
                        .start();
        return new MockLlm(node, port(node));
    }

    private static void install(Path from, Path folder) throws Exception {
        for (String file : FILES) {
            Files.copy(
                    from.resolve(file), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        Path lock = folder.resolve("package-lock.json");
        Path installed = folder.resolve("node_modules/installed-lock.json");
        if (Files.exists(installed) && Files.mismatch(lock, installed) < 0) {
            return;
        }
        Path log = folder.resolve("npm.log");
        Process npm;
        try {
            npm =
                    process(folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
        } catch (IOException e) {
            throw new AssertionError(
                    "there is no npm: install node 18 or newer and npm (apt-get install nodejs"
                            + " npm)",
                    e);
        }
        if (!npm.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || npm.exitValue() != 0) {
            npm.destroyForcibly();
            throw new AssertionError("npm ci does not succeed:\n" + Files.readString(log));
        }
        Files.copy(lock, installed, StandardCopyOption.REPLACE_EXISTING);
    }

    private static ProcessBuilder process(Path folder, String... command) {
        return new ProcessBuilder(command).directory(folder.toFile());
    }

    /** It says a few other things first; what it says later goes into its pipe and is little. */
    private static int port(Process node) throws IOException {
        BufferedReader lines = node.inputReader(StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("port ")) {
                return Integer.parseInt(line.substring("port ".length()));
            }
        }
        throw new AssertionError("the model server does not start; see target/mock-llm/errors.txt");
    }

    int port() {
        return port;
    }

    @Override
    public void close() throws Exception {
        node.destroyForcibly();
        node.waitFor(30, TimeUnit.SECONDS);
    }
}
