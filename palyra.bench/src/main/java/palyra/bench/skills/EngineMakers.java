package palyra.bench.skills;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import palyra.bench.sandbox.TierB;
import palyra.shared.worker.TierBSeam;
import palyra.skills.engine.endive.internal.EndiveEngine;
import palyra.skills.engine.endive.internal.EndiveSettings;
import palyra.skills.engine.endive.internal.code.CompileLimits;
import palyra.skills.engine.endive.internal.code.CompilerStarter;
import palyra.skills.engine.endive.internal.code.ConfinedCompilerStarter;
import palyra.skills.engine.endive.internal.code.DiskCache;
import palyra.skills.engine.wasmtime.internal.gateway.TierBWorkerStarter;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeEngine;
import palyra.skills.engine.wasmtime.internal.gateway.WasmtimeSettings;
import palyra.skills.engine.wasmtime.internal.gateway.WorkerFiles;

/** The engines that ship, with the settings that they ship with, without a framework. */
final class EngineMakers {
    private static final int PAGE = 65_536;
    private static final EndiveSettings ENDIVE =
            new EndiveSettings(
                    64,
                    (int) (Runtime.getRuntime().maxMemory() / 2 / PAGE),
                    64L << 20,
                    0,
                    8 << 20,
                    CompileLimits.DEFAULT);
    private static final WasmtimeSettings WASMTIME =
            new WasmtimeSettings(true, 8, 8_192, 1L << 30, 600_000, Set.of("cgroup"));

    private EngineMakers() {}

    /** Returns how to make Endive, without a cache on disk. */
    static SkillEngine.EngineMaker endive() {
        return () -> {
            EndiveEngine engine = new EndiveEngine(ENDIVE, DiskCache.NONE, compiler(), "bench");
            return new SkillEngine.EngineMaker.Engine(engine, engine::close);
        };
    }

    /** The compiler's process from this class path, without a sandbox. */
    private static CompilerStarter compiler() {
        String classPath = System.getProperty("java.class.path");
        return new ConfinedCompilerStarter(
                new TierBSeam(),
                scratch -> {
                    try {
                        Path folder = Files.createTempDirectory(scratch);
                        return new ConfinedCompilerStarter.Installed(
                                classPath, List.of(), folder, () -> Files.deleteIfExists(folder));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                CompileLimits.DEFAULT,
                0);
    }

    /** Returns how to make wasmtime with its worker under Tier B, below a folder. */
    static SkillEngine.EngineMaker wasmtime(Path folder) {
        return () -> {
            TierBSeam seam = new TierBSeam();
            TierB sandbox = new TierB();
            seam.add(sandbox.backend(), Map.of());
            WasmtimeEngine engine =
                    new WasmtimeEngine(
                            WASMTIME,
                            new WorkerFiles(folder.resolve("worker"), new Program()),
                            new TierBWorkerStarter(seam, WASMTIME, "bench"),
                            "bench");
            return new SkillEngine.EngineMaker.Engine(
                    engine,
                    () -> {
                        engine.close();
                        sandbox.close();
                    });
        };
    }

    /** What the worker consists of, from the class path. */
    private static final class Program implements WorkerFiles.Content {
        private static final String PLACE = "palyra/skills/engine/wasmtime/internal/";

        @Override
        public Map<String, byte[]> classes() throws IOException {
            Path origin;
            try {
                origin =
                        Path.of(
                                WasmtimeEngine.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI());
            } catch (URISyntaxException e) {
                throw new IOException("the engine wasmtime has no place", e);
            }
            if (Files.isDirectory(origin)) {
                return classes(origin);
            }
            try (FileSystem jar =
                    FileSystems.newFileSystem(URI.create("jar:" + origin.toUri()), Map.of())) {
                return classes(jar.getPath("/"));
            }
        }

        private static Map<String, byte[]> classes(Path root) throws IOException {
            Map<String, byte[]> classes = new HashMap<>();
            for (String part : List.of("protocol", "worker")) {
                try (Stream<Path> files = Files.list(root.resolve(PLACE + part))) {
                    for (Path file : files.filter(each -> named(each, ".class")).toList()) {
                        classes.put(PLACE + part + "/" + file.getFileName(), bytes(file));
                    }
                }
            }
            return classes;
        }

        private static boolean named(Path file, String end) {
            return file.toString().endsWith(end);
        }

        private static byte[] bytes(Path file) throws IOException {
            return Files.readAllBytes(file);
        }

        @Override
        public List<InputStream> jars() throws IOException {
            List<InputStream> jars = new ArrayList<>();
            for (String name : List.of("/worker/wasmtime-java.jar", "/worker/slf4j-api.jar")) {
                InputStream in = WasmtimeEngine.class.getResourceAsStream(name);
                if (in == null) {
                    throw new IOException("the bundle of the engine wasmtime has no " + name);
                }
                jars.add(in);
            }
            return jars;
        }
    }
}
