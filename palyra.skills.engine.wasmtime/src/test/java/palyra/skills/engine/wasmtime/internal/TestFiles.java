package palyra.skills.engine.wasmtime.internal;

import io.github.kawamuray.wasmtime.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import palyra.skills.engine.wasmtime.internal.gateway.WorkerFiles;
import palyra.skills.engine.wasmtime.internal.protocol.FrameStream;

/** What the worker consists of, from the class path of the tests. */
final class TestFiles implements WorkerFiles.Content {
    @Override
    public Map<String, byte[]> classes() throws IOException {
        Path root = origin(FrameStream.class);
        Map<String, byte[]> classes = new HashMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.toList()) {
                String path = root.relativize(file).toString();
                if (path.matches(".*/internal/(protocol|worker)/[^/]*\\.class")) {
                    classes.put(path, Files.readAllBytes(file));
                }
            }
        }
        return classes;
    }

    @Override
    public List<InputStream> jars() throws IOException {
        return List.of(
                Files.newInputStream(origin(Engine.class)),
                Files.newInputStream(origin(Logger.class)));
    }

    private static Path origin(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
