package palyra.shared.wasm;

import palyra.api.Require;

/**
 * A reason not to admit a module.
 *
 * @param code what kind of reason, for machines: {@link #MALFORMED}, {@link #INVALID}, {@code
 *     feature_…}, {@code limit_…}, {@code import_…}, {@code export_…}, {@code memory_…}, {@code
 *     table_…}
 * @param sentence the value found and the allowed values
 */
public record Reason(String code, String sentence) {
    /** The bytes do not follow the binary format. */
    public static final String MALFORMED = "module_malformed";

    /** The module does not validate: types, indices or counts do not fit. */
    public static final String INVALID = "module_invalid";

    /** It has more of something than the limits allow. */
    public static final String LIMIT = "limit_";

    /** It uses a feature of WebAssembly that is not admitted. */
    public static final String FEATURE = "feature_";

    /** It imports a function that it was not granted. */
    public static final String IMPORT_UNKNOWN = "import_not_granted";

    /** It imports a function by another type. */
    public static final String IMPORT_TYPE = "import_type";

    /** It imports a memory, table or global: only functions can be had. */
    public static final String IMPORT_KIND = "import_kind";

    /** It exports a name that belongs to metering. */
    public static final String EXPORT_RESERVED = "export_reserved";

    /** It lacks an export. */
    public static final String EXPORT_MISSING = "export_missing";

    /** It exports a required name as something else. */
    public static final String EXPORT_TYPE = "export_type";

    /** Its memory begins larger than the cap. */
    public static final String MEMORY_TOO_LARGE = "memory_too_large";

    /** Its table begins larger than the cap. */
    public static final String TABLE_TOO_LARGE = "table_too_large";

    /** Checks. */
    public Reason {
        Require.text(code, "code of a reason");
        Require.text(sentence, "sentence of a reason");
    }
}
