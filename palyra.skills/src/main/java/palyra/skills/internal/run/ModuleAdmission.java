package palyra.skills.internal.run;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.shared.wasm.Admission;
import palyra.shared.wasm.AdmissionLimits;
import palyra.shared.wasm.AdmissionRules;
import palyra.shared.wasm.Admitted;
import palyra.shared.wasm.FunctionExport;
import palyra.shared.wasm.FunctionImport;
import palyra.shared.wasm.FunctionType;
import palyra.shared.wasm.ModuleFacts;

/**
 * Admission with a memory: a module that was admitted under the same rules is not judged again.
 * Thread-safe.
 */
public final class ModuleAdmission implements Admitter {
    private static final int MOST_KEPT = 64;
    private static final long MOST_KEPT_BYTES = 64L << 20;
    private static final int PAGE = 65_536;
    private static final int MOST_PAGES = 65_536;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, Judged> kept =
            new LinkedHashMap<>(16, 0.75f, true); // guarded by lock; least used first
    private long keptBytes; // guarded by lock

    /** Module and rules. */
    private record Key(String sha256, Set<String> imports, String entrypoint, int pages) {}

    @Override
    public Judged admit(
            byte[] module,
            String sha256,
            List<WasmFunction> functions,
            String entrypoint,
            boolean action,
            long memoryBytes) {
        Key key = new Key(sha256, names(functions), entrypoint, pages(memoryBytes));
        Judged known = find(key);
        if (known != null) {
            return known;
        }
        Admitted admitted = judge(module, functions, entrypoint, action, memoryBytes);
        if (!admitted.ok()) {
            throw new PalyraException(ErrorCode.DENIED, refusal(admitted));
        }
        Judged judged = new Judged(admitted.module().orElseThrow(), functionsOf(admitted.facts()));
        keep(key, judged);
        return judged;
    }

    private static Set<String> names(List<WasmFunction> functions) {
        return functions.stream()
                .map(each -> each.module() + "." + each.name())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static int pages(long memoryBytes) {
        return (int) Math.min(MOST_PAGES, memoryBytes / PAGE);
    }

    /** Returns the whole verdict; nothing is kept. */
    public static Admitted judge(
            byte[] module,
            List<WasmFunction> functions,
            String entrypoint,
            boolean action,
            long memoryBytes) {
        return Admission.admit(
                module,
                new AdmissionRules(
                        AdmissionLimits.DEFAULTS.withMemoryPages(pages(memoryBytes)),
                        functions.stream().map(FunctionImport::of).toList(),
                        List.of(
                                new FunctionExport(
                                        entrypoint,
                                        action ? FunctionType.ACTION : FunctionType.ENTRYPOINT)),
                        false));
    }

    private static String refusal(Admitted admitted) {
        return "The module was not admitted: "
                + admitted.reasons().stream()
                        .limit(8)
                        .map(reason -> reason.code() + ": " + reason.sentence())
                        .collect(Collectors.joining(" "));
    }

    private static Set<String> functionsOf(ModuleFacts facts) {
        return facts.exports().stream()
                .filter(each -> each.kind() == ModuleFacts.Kind.FUNCTION)
                .map(ModuleFacts.Export::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    private Judged find(Key key) {
        lock.lock();
        try {
            return kept.get(key);
        } finally {
            lock.unlock();
        }
    }

    private void keep(Key key, Judged judged) {
        lock.lock();
        try {
            if (kept.putIfAbsent(key, judged) == null) {
                keptBytes += judged.module().bytes().length;
            }
            while (kept.size() > MOST_KEPT || (keptBytes > MOST_KEPT_BYTES && kept.size() > 1)) {
                Key eldest = kept.keySet().iterator().next();
                keptBytes -= kept.remove(eldest).module().bytes().length;
            }
        } finally {
            lock.unlock();
        }
    }
}
