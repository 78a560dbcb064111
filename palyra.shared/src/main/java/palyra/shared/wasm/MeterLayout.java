package palyra.shared.wasm;

import java.util.ArrayList;
import java.util.List;

/**
 * Where metering puts what it adds: types, functions and globals after the module's own, so that no
 * index of the module changes and no code of the module can name them.
 */
final class MeterLayout {
    static final int ADDED_GLOBALS = 3;

    private final int firstType;
    private final int firstFunction;
    private final int firstGlobal;
    private final List<Signature> added = new ArrayList<>();

    MeterLayout(BinaryModule module) {
        firstType = module.types.size();
        firstFunction = module.functions.size();
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
