package palyra.shared.wasm;

import java.util.List;
import java.util.Optional;
import palyra.api.Require;
import palyra.api.core.wasm.WasmModule;

/** The result of admission. Immutable. */
public final class Admitted {
    private final WasmModule module;
    private final List<Reason> reasons;
    private final ModuleFacts facts;

    private Admitted(WasmModule module, List<Reason> reasons, ModuleFacts facts) {
        this.module = module;
        this.reasons = List.copyOf(reasons);
        this.facts = Require.present(facts, "facts of a module");
    }

    /** Returns a yes. */
    static Admitted yes(WasmModule module, ModuleFacts facts) {
        return new Admitted(Require.present(module, "module"), List.of(), facts);
    }

    /** Returns a no with at least one reason. */
    static Admitted no(List<Reason> reasons, ModuleFacts facts) {
        Require.that(!reasons.isEmpty(), "a module is refused for a reason");
        return new Admitted(null, reasons, facts);
    }

    /** Returns whether the module may run. */
    public boolean ok() {
        return module != null;
    }

    /** Returns the module for engines: clamped and metered; empty when it was refused. */
    public Optional<WasmModule> module() {
        return Optional.ofNullable(module);
    }

    /** Returns all reasons that were found against it; empty when it was admitted. */
    public List<Reason> reasons() {
        return reasons;
    }

    /** Returns what it is made of. */
    public ModuleFacts facts() {
        return facts;
    }
}
