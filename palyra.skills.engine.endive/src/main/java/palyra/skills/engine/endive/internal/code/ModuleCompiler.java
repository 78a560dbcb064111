package palyra.skills.engine.endive.internal.code;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmModule;
import run.endive.compiler.InterpreterFallback;
import run.endive.compiler.internal.ClassLoadingCollector;
import run.endive.compiler.internal.Compiler;
import run.endive.compiler.internal.CompilerResult;
import run.endive.wasm.Parser;

/**
 * Makes classes of a module, or loads those of an earlier time. Nothing that Endive throws gets
 * out, errors of the JVM included.
 */
final class ModuleCompiler {
    private static final Logger LOG = LoggerFactory.getLogger(ModuleCompiler.class);

    /** What an entry costs beside its class files: the parsed module, and the loader. */
    private static final long OVERHEAD = 16_384;

    private final DiskCache disk;

    ModuleCompiler(DiskCache disk) {
        this.disk = disk;
    }

    /**
     * Compiles or loads.
     *
     * @throws PalyraException INVALID_ARGUMENT when Endive does not take the module,
     *     RESOURCE_EXHAUSTED when the stack or the heap was not enough for it
     */
    Compiled compile(WasmModule module) {
        long from = System.nanoTime();
        try {
            run.endive.wasm.WasmModule parsed = Parser.parse(module.bytes());
            Optional<Compiled> known = load(module, parsed, from);
            return known.isPresent() ? known.get() : make(module, parsed, from);
        } catch (StackOverflowError | OutOfMemoryError e) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "Compiling module "
                            + module.sha256()
                            + " took more "
                            + (e instanceof StackOverflowError ? "stack" : "heap")
                            + " than there is: make its functions smaller.",
                    e);
        } catch (Exception | LinkageError | AssertionError e) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Endive does not take module " + module.sha256() + ": " + e + ".",
                    e);
        }
    }

    private Optional<Compiled> load(
            WasmModule module, run.endive.wasm.WasmModule parsed, long from) {
        Optional<byte[]> entry = disk.get(module.sha256());
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        try {
            ClassPack pack = ClassPack.decode(entry.get());
            ClassLoadingCollector loader = new ClassLoadingCollector();
            pack.classes()
                    .forEach(
                            (name, bytes) -> {
                                if (!name.equals(pack.main())) {
                                    loader.put(name, bytes);
                                }
                            });
            loader.putMainClass(pack.main(), pack.classes().get(pack.main()));
            return Optional.of(ready(module, parsed, loader, pack, from));
        } catch (IOException | RuntimeException | LinkageError e) {
            LOG.warn("The cached code of module {} cannot be loaded: {}", module.sha256(), "" + e);
            disk.remove(module.sha256());
            return Optional.empty();
        }
    }

    private Compiled make(WasmModule module, run.endive.wasm.WasmModule parsed, long from)
            throws IOException {
        CompilerResult result =
                Compiler.builder(parsed)
                        .withInterpreterFallback(InterpreterFallback.SILENT)
                        .withClassCollectorFactory(ClassLoadingCollector::new)
                        .build()
                        .compile();
        ClassLoadingCollector loader = (ClassLoadingCollector) result.collector();
        Map<String, byte[]> classes = new LinkedHashMap<>(loader.classBytes());
        ClassPack pack =
                new ClassPack(
                        loader.mainClassName(), result.interpretedFunctions().size(), classes);
        disk.put(module.sha256(), pack.encode());
        return ready(module, parsed, loader, pack, from);
    }

    private static Compiled ready(
            WasmModule module,
            run.endive.wasm.WasmModule parsed,
            ClassLoadingCollector loader,
            ClassPack pack,
            long from) {
        return Compiled.of(
                parsed,
                loader.machineFactory(),
                pack.size() + 2L * module.bytes().length + OVERHEAD,
                pack.interpreted(),
                System.nanoTime() - from);
    }
}
