package palyra.skills.internal.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 * Admission with a cache: a module that was admitted under the same rules is not validated again.
 * Thread-safe.
 */
public final class ModuleAdmission implements Admitter {
    private static final int MOST_KEPT = 64;
    private static final long MOST_KEPT_BYTES = 64L << 20;
    private static final int PAGE = 65_536;
    private static final int MOST_PAGES = 65_536;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, AdmittedModule> kept =
            new LinkedHashMap<>(16, 0.75f, true); // guarded by lock; least used first
    private long keptBytes; // guarded by lock

    /** Lists of imports that came up: there is one for each combination of kinds of grants. */
    private final Map<Integer, Imports> known = new ConcurrentHashMap<>();

    /** Module and rules. */
    private record Key(String sha256, Imports imports, String entrypoint, int pages) {}

    /**
     * Names of what may be imported, in order: module, name, module, name and so on. Each call
     * brings the same few lists, so they are compared in place instead of being built again.
     */
    private record Imports(List<String> names, int hash) {
        static Imports of(List<WasmFunction> functions) {
            List<String> names = new ArrayList<>(2 * functions.size());
            for (WasmFunction each : functions) {
                names.add(each.module());
                names.add(each.name());
            }
            return new Imports(List.copyOf(names), names.hashCode());
        }

        boolean matches(List<WasmFunction> functions) {
            if (names.size() != 2 * functions.size()) {
                return false;
            }
            int at = 0;
            for (WasmFunction each : functions) {
                if (!names.get(at++).equals(each.module())
                        || !names.get(at++).equals(each.name())) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public boolean equals(Object other) {
            return this == other
                    || (other instanceof Imports imports && names.equals(imports.names));
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    @Override
    public AdmittedModule admit(
            byte[] module,
            String sha256,
            List<WasmFunction> functions,
            String entrypoint,
            boolean action,
            long memoryBytes) {
        Key key = new Key(sha256, imports(functions), entrypoint, pages(memoryBytes));
        AdmittedModule found = find(key);
        if (found != null) {
            return found;
        }
        Admitted admitted = judge(module, functions, entrypoint, action, memoryBytes);
        if (!admitted.ok()) {
            throw new PalyraException(ErrorCode.DENIED, refusal(admitted));
        }
        AdmittedModule judged =
                new AdmittedModule(admitted.module().orElseThrow(), functionsOf(admitted.facts()));
        keep(key, judged);
        return judged;
    }

    /** As many functions are nearly always the same ones; if not, the last list counts. */
    private Imports imports(List<WasmFunction> functions) {
        Imports last = known.get(functions.size());
        if (last != null && last.matches(functions)) {
            return last;
        }
        Imports made = Imports.of(functions);
        known.put(functions.size(), made);
        return made;
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

    private AdmittedModule find(Key key) {
        lock.lock();
        try {
            return kept.get(key);
        } finally {
            lock.unlock();
        }
    }

    private void keep(Key key, AdmittedModule judged) {
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
