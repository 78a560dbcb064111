package palyra.skills.engine.endive.internal.code;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmModule;
import palyra.shared.wasm.ModuleShell;
import palyra.skills.engine.endive.internal.protocol.ClassPack;
import run.endive.wasm.Parser;

/**
 * Has a module compiled by the compiler's process, or takes what was compiled at an earlier time,
 * and loads the classes. Of the module itself only its shell is decoded here, and the few bodies
 * that are interpreted. Stateless but for the cache.
 */
final class ModuleCompiler {
    private static final Logger LOG = LoggerFactory.getLogger(ModuleCompiler.class);
    private static final byte CLASSES = 1;
    private static final byte REFUSAL = 2;

    /** Bytes of an entry beside its class files: the decoded shell, and the loader. */
    private static final long OVERHEAD = 16_384;

    /** Heap of a decoded body for each of its bytes: found at most 56. */
    private static final long DECODED = 64;

    private final DiskCache disk;
    private final CompileLimits budget;

    ModuleCompiler(DiskCache disk, CompileLimits budget) {
        this.disk = disk;
        this.budget = budget;
    }

    /**
     * Compiles or loads.
     *
     * @throws CompileRefusedException when Endive does not take the module, or takes more than the
     *     budget for it; kept on disk, and told without compiling while the budget is the same
     * @throws PalyraException when it was stopped, or no process can be had
     */
    Compiled compile(WasmModule module, CompilerProcess run)
            throws CompileRefusedException, InterruptedException {
        long from = System.nanoTime();
        Optional<Compiled> known = load(module, from);
        if (known.isPresent()) {
            return known.get();
        }
        try {
            byte[] pack = run.compile();
            Compiled made = ready(module, pack, from);
            disk.put(module.sha256(), entry(CLASSES, pack));
            return made;
        } catch (CompileRefusedException e) {
            disk.put(
                    module.sha256(),
                    entry(
                            REFUSAL,
                            (budget + "\n" + e.getMessage()).getBytes(StandardCharsets.UTF_8)));
            throw e;
        } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError e) {
            if (e instanceof PalyraException palyra) {
                throw palyra;
            }
            throw new PalyraException(
                    ErrorCode.INTERNAL,
                    "What was compiled of module "
                            + module.sha256()
                            + " cannot be used: "
                            + e
                            + ".",
                    e);
        }
    }

    private Optional<Compiled> load(WasmModule module, long from) throws CompileRefusedException {
        Optional<byte[]> entry = disk.get(module.sha256());
        if (entry.isEmpty() || entry.get().length == 0) {
            return Optional.empty();
        }
        byte[] content = Arrays.copyOfRange(entry.get(), 1, entry.get().length);
        if (entry.get()[0] == REFUSAL) {
            refuse(new String(content, StandardCharsets.UTF_8));
            return Optional.empty();
        }
        try {
            return Optional.of(ready(module, content, from));
        } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError e) {
            LOG.warn("The cached code of module {} cannot be loaded: {}", module.sha256(), "" + e);
            disk.remove(module.sha256());
            return Optional.empty();
        }
    }

    /** Under another budget it is tried again. */
    private void refuse(String kept) throws CompileRefusedException {
        String under = budget + "\n";
        if (kept.startsWith(under)) {
            throw new CompileRefusedException(kept.substring(under.length()));
        }
    }

    private static byte[] entry(byte kind, byte[] content) {
        byte[] entry = new byte[content.length + 1];
        entry[0] = kind;
        System.arraycopy(content, 0, entry, 1, content.length);
        return entry;
    }

    private static Compiled ready(WasmModule module, byte[] encoded, long from)
            throws IOException, ReflectiveOperationException, CompileRefusedException {
        ClassPack pack = ClassPack.decode(encoded);
        long interpreted = ModuleShell.bytesOf(module.bytes(), pack.interpreted());
        if (interpreted > CompileLimits.INTERPRETED_BYTES) {
            throw CompileRefusedException.tooExpensive(
                    module,
                    interpreted
                            + " bytes of functions that are too large for a method of the JVM, and"
                            + " at most "
                            + CompileLimits.INTERPRETED_BYTES
                            + " are interpreted");
        }
        ClassCheck.check(pack);
        return Compiled.of(
                Parser.parse(ModuleShell.of(module.bytes(), pack.interpreted())),
                GuestClasses.machines(pack.main(), pack.classes()),
                pack.size() + module.bytes().length + DECODED * interpreted + OVERHEAD,
                pack.interpreted().size(),
                System.nanoTime() - from);
    }
}
