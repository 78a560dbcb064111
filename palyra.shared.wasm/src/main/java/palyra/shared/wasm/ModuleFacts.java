package palyra.shared.wasm;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A summary of a module, for audits and for people. Of a module that could not be read only {@code
 * bytes} and {@code sha256} say something.
 *
 * @param bytes size of the module as it came
 * @param sha256 digest of the module as it came, lower-case hex
 * @param imports its imports in order
 * @param exports its exports in order
 * @param types number of types
 * @param functions number of functions of its own
 * @param globals number of globals of its own
 * @param largestFunctionBytes size of the largest body
 * @param deepestNesting deepest nesting of blocks
 * @param codeBytes size of all bodies
 * @param dataBytes size of all data segments
 * @param elements functions in element segments
 * @param tableEntries entries its table begins with; -1 when it has none
 * @param memoryPages pages its memory begins with; -1 when it has none
 * @param declaredPages most pages that it declared; -1 when it declared none
 * @param start whether it has a start function
 * @param customSections names of its custom sections, which are dropped
 * @param features names of the features after WebAssembly 1.0 that it uses: {@code sign-extension},
 *     {@code saturating-conversion}, {@code bulk-memory}, {@code multi-value}, {@code
 *     mutable-global}; and {@code float} for any instruction on floats
 */
public record ModuleFacts(
        int bytes,
        String sha256,
        List<Import> imports,
        List<Export> exports,
        int types,
        int functions,
        int globals,
        int largestFunctionBytes,
        int deepestNesting,
        int codeBytes,
        int dataBytes,
        int elements,
        long tableEntries,
        long memoryPages,
        long declaredPages,
        boolean start,
        List<String> customSections,
        SortedSet<String> features) {
    /** Copies. */
    public ModuleFacts {
        imports = List.copyOf(imports);
        exports = List.copyOf(exports);
        customSections = List.copyOf(customSections);
        features = Collections.unmodifiableSortedSet(new TreeSet<>(features));
    }

    /** Returns the facts of bytes that are no module. */
    static ModuleFacts unreadable(int bytes, String sha256) {
        return new ModuleFacts(
                bytes,
                sha256,
                List.of(),
                List.of(),
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                -1,
                -1,
                -1,
                false,
                List.of(),
                Collections.emptySortedSet());
    }

    /** An export or import of a module. */
    public enum Kind {
        /** A function. */
        FUNCTION,
        /** A table. */
        TABLE,
        /** A memory. */
        MEMORY,
        /** A global. */
        GLOBAL
    }

    /**
     * An import.
     *
     * @param module first part of its name
     * @param name second part
     * @param kind what it is
     * @param type its type as text, such as {@code (i32) -> (i32)}, {@code mut i32}, {@code 1..16}
     */
    public record Import(String module, String name, Kind kind, String type) {}

    /**
     * An export.
     *
     * @param name its name
     * @param kind what it is
     * @param type its type as text
     */
    public record Export(String name, Kind kind, String type) {}
}
