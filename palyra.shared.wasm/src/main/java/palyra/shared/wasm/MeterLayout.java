package palyra.shared.wasm;

import java.util.ArrayList;
import java.util.List;
import palyra.api.core.wasm.WasmModule;

/**
 * The indices of metering's additions: types, functions and globals after the module's own, so that
 * no code of the module can name them. A module whose code grows its memory gets one import after
 * its own, {@link WasmModule#GROW}, which moves the indices of its own functions by one.
 */
final class MeterLayout {
    static final int ADDED_GLOBALS = 3;

    private final int imported;
    private final boolean grows;
    private final int firstType;
    private final int firstFunction;
    private final int firstGlobal;
    private final List<Signature> added = new ArrayList<>();

    /**
     * Lays out a module.
     *
     * @param grows whether its code grows its memory
     */
    MeterLayout(BinaryModule module, boolean grows) {
        this.imported = module.importedFunctions;
        this.grows = grows;
        firstType = module.types.size();
        firstFunction = moved(module.functions.size());
        firstGlobal = module.globals.size();
    }

    /** Global i64: fuel that is left. */
    int fuel() {
        return firstGlobal;
    }

    /** Global i32: call depth that is left. */
    int depth() {
        return firstGlobal + 1;
    }

    /** Global i32: why the module was stopped. */
    int stopped() {
        return firstGlobal + 2;
    }

    /** Returns whether {@link WasmModule#GROW} is imported. */
    boolean grows() {
        return grows;
    }

    /** Index of the imported function that is asked before the memory grows. */
    int grow() {
        return imported;
    }

    /** Returns the index that a function of the module has now. */
    int moved(int function) {
        return grows && function >= imported ? function + 1 : function;
    }

    /** Index of a function that metering adds. */
    int function(MeterFunctions.Added which) {
        return firstFunction + which.ordinal();
    }

    /** Returns the index of a type, which is added unless it was before. */
    int type(Signature type) {
        int known = added.indexOf(type);
        if (known < 0) {
            known = added.size();
            added.add(type);
        }
        return firstType + known;
    }

    /** Returns the types that were added. */
    List<Signature> types() {
        return added;
    }
}
