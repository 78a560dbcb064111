package palyra.shared.wasm;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import palyra.shared.wasm.BinaryModule.Export;
import palyra.shared.wasm.BinaryModule.Import;
import palyra.shared.wasm.BinaryModule.Limits;

/** Collects the facts of a decoded module. */
final class ModuleFactsCollector {
    private final BinaryModule module;

    private ModuleFactsCollector(BinaryModule module) {
        this.module = module;
    }

    /** Returns the facts; indices that point nowhere are said to be unknown. */
    static ModuleFacts module(
            BinaryModule module, String sha256, List<BodyFacts> bodies, Set<Feature> features) {
        ModuleFactsCollector of = new ModuleFactsCollector(module);
        int[] sizes = module.bodies.stream().mapToInt(body -> body.end() - body.start()).toArray();
        Limits memory = module.memories.isEmpty() ? null : module.memories.getFirst();
        return new ModuleFacts(
                module.bytes.length,
                sha256,
                module.imports.stream().map(of::imported).toList(),
                module.exports.stream().map(of::exported).toList(),
                module.types.size(),
                module.bodies.size(),
                module.globals.size() - module.importedGlobals,
                java.util.Arrays.stream(sizes).max().orElse(0),
                bodies.stream().mapToInt(BodyFacts::nesting).max().orElse(0),
                java.util.Arrays.stream(sizes).sum(),
                module.dataBytes(),
                module.elementEntries(),
                module.tables.isEmpty() ? -1 : module.tables.getFirst().least(),
                memory == null ? -1 : memory.least(),
                memory == null ? -1 : memory.most(),
                module.start != BinaryModule.NONE,
                module.customs,
                features.stream()
                        .map(Feature::text)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private ModuleFacts.Import imported(Import one) {
        String type =
                one.kind() == BinaryModule.Kind.FUNCTION ? functionType(one.index()) : one.type();
        return new ModuleFacts.Import(one.module(), one.name(), kind(one.kind()), type);
    }

    private ModuleFacts.Export exported(Export one) {
        String type =
                switch (one.kind()) {
                    case FUNCTION ->
                            one.index() < module.functions.size()
                                    ? functionType(module.functions.get(one.index()))
                                    : "unknown";
                    case TABLE -> of(module.tables, one.index());
                    case MEMORY -> of(module.memories, one.index());
                    case GLOBAL -> of(module.globals, one.index());
                };
        return new ModuleFacts.Export(one.name(), kind(one.kind()), type);
    }

    private String functionType(int type) {
        return of(module.types, type);
    }

    private static String of(List<?> space, int index) {
        return index < space.size() ? space.get(index).toString() : "unknown";
    }

    private static ModuleFacts.Kind kind(BinaryModule.Kind kind) {
        return ModuleFacts.Kind.valueOf(kind.name());
    }
}
