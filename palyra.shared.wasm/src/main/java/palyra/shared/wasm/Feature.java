package palyra.shared.wasm;

import java.util.Locale;

/** Features after WebAssembly 1.0: those that are admitted, and those that are refused by name. */
enum Feature {
    SIGN_EXTENSION,
    SATURATING_CONVERSION,
    BULK_MEMORY,
    MULTI_VALUE,
    MUTABLE_GLOBAL,
    /** Not a feature, but worth knowing: bits of NaN may differ between engines. */
    FLOAT,
    REFERENCE_TYPES,
    SIMD,
    THREADS,
    MULTI_MEMORY,
    MEMORY64,
    GC,
    EXCEPTIONS,
    TAIL_CALLS,
    EXTENDED_CONSTANTS,
    WIDE_ARITHMETIC;

    /** Returns its name for facts and reasons. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns what says that it is not admitted. */
    ModuleException refused(int offset, String what) {
        return new ModuleException(
                Reason.FEATURE + name().toLowerCase(Locale.ROOT),
                what
                        + " at offset "
                        + offset
                        + " needs the feature "
                        + text()
                        + ", which is not admitted; build without it");
    }
}
