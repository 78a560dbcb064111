package palyra.shared.wasm;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import palyra.api.core.wasm.WasmModule;
import palyra.shared.hash.Digests;

/**
 * Decides whether a WebAssembly module may run, and makes the module for engines. It decodes the
 * binary format, validates by the core specification, checks limits, imports and exports, clamps
 * memory and table, and inserts metering; no engine sees a module that did not pass here. No method
 * keeps anything or throws for a bad module; all are thread-safe.
 */
public final class Admission {
    private Admission() {}

    /**
     * Judges a module.
     *
     * @param module its bytes, not changed and not kept
     * @param rules what it must be like
     */
    public static Admitted admit(byte[] module, AdmissionRules rules) {
        String sha256 = Digests.sha256Hex(module);
        Reasons reasons = new Reasons();
        BinaryModule decoded;
        try {
            decoded = Decoder.decode(module, rules.limits());
        } catch (ModuleException e) {
            return Admitted.no(List.of(e.reason()), ModuleFacts.unreadable(module.length, sha256));
        }
        Set<Feature> features = EnumSet.noneOf(Feature.class);
        List<BodyFacts> bodies =
                new ModuleValidator(decoded, rules.limits(), features, reasons).validate();
        new RuleCheck(decoded, rules, reasons).check();
        ModuleFacts facts = ModuleFactsCollector.module(decoded, sha256, bodies, features);
        if (!reasons.none()) {
            return Admitted.no(reasons.all(), facts);
        }
        WasmModule metered = Meter.meter(decoded, rules.limits(), bodies);
        return new CompileSizeLimits(rules.limits(), reasons).metered(metered.bytes().length)
                ? Admitted.yes(metered, facts)
                : Admitted.no(reasons.all(), facts);
    }

    /**
     * Decodes and validates a module within limits, without rules about what it takes and brings;
     * used on what metering made, too.
     *
     * @return all that is wrong with it; empty when it is valid
     */
    public static List<Reason> validate(byte[] module, AdmissionLimits limits) {
        Reasons reasons = new Reasons();
        try {
            BinaryModule decoded = Decoder.decode(module, limits);
            new ModuleValidator(decoded, limits, EnumSet.noneOf(Feature.class), reasons).validate();
        } catch (ModuleException e) {
            reasons.add(e);
        }
        return List.copyOf(reasons.all());
    }
}
