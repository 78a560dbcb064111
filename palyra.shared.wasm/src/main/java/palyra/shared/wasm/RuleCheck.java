package palyra.shared.wasm;

import java.util.HashMap;
import java.util.Map;
import palyra.shared.wasm.BinaryModule.Export;
import palyra.shared.wasm.BinaryModule.Import;
import palyra.shared.wasm.BinaryModule.Kind;

/** Checks the imports and exports of a valid module against the rules. */
final class RuleCheck {
    /** Names that begin so belong to metering. */
    static final String RESERVED = "palyra:";

    /** The one imported module with such a name, of skills that were made for the original. */
    private static final String LEGACY = "palyra:plugins/host-capabilities@0.1.0";

    private final BinaryModule module;
    private final AdmissionRules rules;
    private final Reasons reasons;

    RuleCheck(BinaryModule module, AdmissionRules rules, Reasons reasons) {
        this.module = module;
        this.rules = rules;
        this.reasons = reasons;
    }

    void check() {
        imports();
        exports();
        clamps();
    }

    private void imports() {
        Map<String, Map<String, FunctionType>> granted = new HashMap<>();
        for (FunctionImport one : rules.imports()) {
            granted.computeIfAbsent(one.module(), key -> new HashMap<>())
                    .put(one.name(), one.type());
        }
        for (Import one : module.imports) {
            String name = Reasons.quoted(one.module() + "." + one.name());
            if (one.kind() != Kind.FUNCTION) {
                reasons.add(
                        Reason.IMPORT_KIND,
                        "the module imports the "
                                + one.kind()
                                + " "
                                + name
                                + "; only functions can be imported");
                continue;
            }
            if (one.index() >= module.types.size()) {
                continue; // found by validation
            }
            FunctionType allowed = granted.getOrDefault(one.module(), Map.of()).get(one.name());
            FunctionType wanted = module.types.get(one.index()).type();
            if (allowed == null || reserved(one)) {
                reasons.add(
                        Reason.IMPORT_UNKNOWN,
                        "the module imports the function " + name + ", which it is not granted");
            } else if (!allowed.equals(wanted)) {
                reasons.add(
                        Reason.IMPORT_TYPE,
                        "the module imports the function "
                                + name
                                + " as "
                                + wanted
                                + ", but it is "
                                + allowed);
            }
        }
    }

    private static boolean reserved(Import one) {
        return one.name().startsWith(RESERVED)
                || (one.module().startsWith(RESERVED) && !one.module().equals(LEGACY));
    }

    private void exports() {
        Map<String, Export> found = new HashMap<>();
        for (Export export : module.exports) {
            found.put(export.name(), export);
            if (export.name().startsWith(RESERVED)) {
                reasons.add(
                        Reason.EXPORT_RESERVED,
                        "the module exports "
                                + Reasons.quoted(export.name())
                                + "; names that begin with "
                                + RESERVED
                                + " belong to metering");
            }
        }
        rules.exports().forEach(one -> required(one, found.get(one.name())));
        if (rules.memory()) {
            memory(found.get("memory"));
        }
    }

    private void required(FunctionExport wanted, Export found) {
        if (found == null) {
            reasons.add(
                    Reason.EXPORT_MISSING,
                    "the module does not export the function "
                            + Reasons.quoted(wanted.name())
                            + " "
                            + wanted.type());
        } else if (found.kind() != Kind.FUNCTION) {
            reasons.add(
                    Reason.EXPORT_TYPE,
                    "the module exports "
                            + Reasons.quoted(wanted.name())
                            + " as a "
                            + found.kind()
                            + ", not as a function");
        } else if (found.index() >= module.functions.size()
                || module.functions.get(found.index()) >= module.types.size()) {
            return; // found by validation
        } else if (!module.functionType(found.index()).type().equals(wanted.type())) {
            reasons.add(
                    Reason.EXPORT_TYPE,
                    "the module exports "
                            + Reasons.quoted(wanted.name())
                            + " as "
                            + module.functionType(found.index())
                            + ", but it must be "
                            + wanted.type());
        }
    }

    private void memory(Export found) {
        if (found == null) {
            reasons.add(Reason.EXPORT_MISSING, "the module does not export its memory as memory");
        } else if (found.kind() != Kind.MEMORY) {
            reasons.add(
                    Reason.EXPORT_TYPE,
                    "the module exports memory as a " + found.kind() + ", not as a memory");
        }
    }

    private void clamps() {
        module.memories.stream()
                .filter(memory -> memory.least() > rules.limits().memoryPages())
                .forEach(
                        memory ->
                                reasons.add(
                                        Reason.MEMORY_TOO_LARGE,
                                        "the memory begins with "
                                                + memory.least()
                                                + " pages of 64 KiB, at most "
                                                + rules.limits().memoryPages()
                                                + " are granted"));
        module.tables.stream()
                .filter(table -> table.least() > rules.limits().tableEntries())
                .forEach(
                        table ->
                                reasons.add(
                                        Reason.TABLE_TOO_LARGE,
                                        "the table begins with "
                                                + table.least()
                                                + " entries, at most "
                                                + rules.limits().tableEntries()
                                                + " are admitted"));
    }
}
