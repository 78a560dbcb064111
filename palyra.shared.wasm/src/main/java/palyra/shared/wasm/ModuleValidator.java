package palyra.shared.wasm;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import palyra.shared.wasm.BinaryModule.Body;
import palyra.shared.wasm.BinaryModule.Constant;
import palyra.shared.wasm.BinaryModule.Elements;
import palyra.shared.wasm.BinaryModule.Export;
import palyra.shared.wasm.BinaryModule.Global;
import palyra.shared.wasm.BinaryModule.Limits;
import palyra.shared.wasm.BinaryModule.Mode;

/** Validates a decoded module (core specification, section 3.4) and collects the faults. */
final class ModuleValidator {
    private static final long MOST_PAGES = 65_536;

    private final BinaryModule module;
    private final AdmissionLimits limits;
    private final Set<Feature> features;
    private final Reasons reasons;

    ModuleValidator(
            BinaryModule module, AdmissionLimits limits, Set<Feature> features, Reasons reasons) {
        this.module = module;
        this.limits = limits;
        this.features = features;
        this.reasons = reasons;
    }

    /** Checks it all; returns the facts of each body, incomplete when there are reasons. */
    List<BodyFacts> validate() {
        if (!functionTypes()) {
            return List.of();
        }
        spaces();
        globals();
        exports();
        start();
        module.elements.forEach(this::elements);
        module.data.forEach(segment -> data(segment.mode(), segment.memory(), segment.offset()));
        return bodies();
    }

    private boolean functionTypes() {
        for (int i = 0; i < module.functions.size(); i++) {
            if (module.functions.get(i) >= module.types.size()) {
                reasons.invalid(
                        "function "
                                + i
                                + " has type "
                                + module.functions.get(i)
                                + ", which does not exist");
                return false;
            }
        }
        for (Signature type : module.types) {
            if (type.results().length > 1) {
                features.add(Feature.MULTI_VALUE);
            }
        }
        return true;
    }

    private void spaces() {
        if (module.tables.size() > 1) {
            reasons.add(Feature.REFERENCE_TYPES.refused(0, "more than one table"));
        }
        if (module.memories.size() > 1) {
            reasons.add(Feature.MULTI_MEMORY.refused(0, "more than one memory"));
        }
        module.tables.forEach(table -> limits("table", table, 0xFFFF_FFFFL));
        module.memories.forEach(memory -> limits("memory", memory, MOST_PAGES));
    }

    private void limits(String what, Limits found, long range) {
        boolean none = found.most() == BinaryModule.NONE;
        if (found.least() > range
                || (!none && (found.most() > range || found.most() < found.least()))) {
            reasons.invalid("limits " + found + " of a " + what + " are out of range");
        }
    }

    private void globals() {
        for (int i = module.importedGlobals; i < module.globals.size(); i++) {
            Global global = module.globals.get(i);
            constant("global " + i, global.value(), global.type(), i);
        }
    }

    /** Checks a constant that may name globals before {@code known}. */
    private void constant(String of, Constant constant, int type, int known) {
        if (namesOwn(constant, type, known)) {
            reasons.add(
                    Feature.EXTENDED_CONSTANTS.refused(
                            constant.start(),
                            "the constant of "
                                    + of
                                    + ", which is global "
                                    + constant.index()
                                    + " of the module itself,"));
            return;
        }
        int found =
                switch (constant.opcode()) {
                    case Op.I32_CONST -> Numeric.I32;
                    case Op.I64_CONST -> Numeric.I64;
                    case Op.F32_CONST -> Numeric.F32;
                    case Op.F64_CONST -> Numeric.F64;
                    case Op.GLOBAL_GET -> importedConstant(constant.index());
                    default -> BinaryModule.NONE;
                };
        if (found != type) {
            reasons.invalid(
                    "the constant of "
                            + of
                            + " at offset "
                            + constant.start()
                            + " is no "
                            + ValueType.of(type));
        }
    }

    /** The standard allows it since its version 3.0; before, imported globals alone. */
    private boolean namesOwn(Constant constant, int type, int known) {
        if (constant.opcode() != Op.GLOBAL_GET
                || constant.index() < module.importedGlobals
                || constant.index() >= known) {
            return false;
        }
        Global named = module.globals.get(constant.index());
        return !named.mutable() && named.type() == type;
    }

    private int importedConstant(int index) {
        boolean constant = index < module.importedGlobals && !module.globals.get(index).mutable();
        return constant ? module.globals.get(index).type() : BinaryModule.NONE;
    }

    private void exports() {
        Set<String> names = new HashSet<>();
        for (Export export : module.exports) {
            if (!names.add(export.name())) {
                reasons.invalid("two exports have the name " + Reasons.quoted(export.name()));
            }
            if (export.index() >= size(export)) {
                reasons.invalid(
                        "export "
                                + Reasons.quoted(export.name())
                                + " is of "
                                + export.kind()
                                + " "
                                + export.index()
                                + ", which does not exist");
            } else if (export.kind() == BinaryModule.Kind.GLOBAL
                    && module.globals.get(export.index()).mutable()) {
                features.add(Feature.MUTABLE_GLOBAL);
            }
        }
    }

    private int size(Export export) {
        return switch (export.kind()) {
            case FUNCTION -> module.functions.size();
            case TABLE -> module.tables.size();
            case MEMORY -> module.memories.size();
            case GLOBAL -> module.globals.size();
        };
    }

    private void start() {
        if (module.start == BinaryModule.NONE) {
            return;
        }
        if (module.start >= module.functions.size()) {
            reasons.invalid("the start function " + module.start + " does not exist");
        } else if (!module.functionType(module.start).equals(Signature.empty())) {
            reasons.invalid("the start function takes or returns something");
        }
    }

    private void elements(Elements segment) {
        if (segment.mode() == Mode.ACTIVE) {
            if (segment.table() >= module.tables.size()) {
                reasons.invalid(
                        "an element segment is for table "
                                + segment.table()
                                + ", which does not exist");
            }
            constant("an element segment", segment.offset(), Numeric.I32, module.globals.size());
        }
        for (int function : segment.functions()) {
            if (function >= module.functions.size()) {
                reasons.invalid("an element is function " + function + ", which does not exist");
                return;
            }
        }
    }

    private void data(Mode mode, int memory, Constant offset) {
        if (mode == Mode.ACTIVE) {
            if (memory >= module.memories.size()) {
                reasons.invalid(
                        "a data segment is for memory " + memory + ", which does not exist");
            }
            constant("a data segment", offset, Numeric.I32, module.globals.size());
        }
    }

    private List<BodyFacts> bodies() {
        FunctionValidator validator = new FunctionValidator(module, limits, features);
        List<BodyFacts> facts = new ArrayList<>(module.bodies.size());
        for (int i = 0; i < module.bodies.size() && !reasons.full(); i++) {
            Body body = module.bodies.get(i);
            int function = module.importedFunctions + i;
            if (body.end() - body.start() > limits.functionBytes()) {
                reasons.limit(
                        "function",
                        "function "
                                + function
                                + " has "
                                + (body.end() - body.start())
                                + " bytes, at most "
                                + limits.functionBytes()
                                + " are admitted");
            }
            try {
                facts.add(validator.validate(function, body));
            } catch (ModuleException e) {
                reasons.add(e);
            }
        }
        new CompileSizeLimits(limits, reasons).check(module.importedFunctions, facts);
        return facts;
    }
}
