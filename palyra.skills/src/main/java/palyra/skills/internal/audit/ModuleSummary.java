package palyra.skills.internal.audit;

import java.util.List;

/**
 * The parts of a module that the audit checks.
 *
 * @param imports what it takes
 * @param functions names of the functions that it exports
 * @param types types of those functions, in the same order, such as {@code () -> (i32)}
 * @param memory whether it exports a memory called {@code memory}
 * @param faults why it would not be admitted even with all grants: {@code code: sentence}
 */
public record ModuleSummary(
        List<Import> imports,
        List<String> functions,
        List<String> types,
        boolean memory,
        List<String> faults) {
    /** Copies. */
    public ModuleSummary {
        imports = List.copyOf(imports);
        functions = List.copyOf(functions);
        types = List.copyOf(types);
        faults = List.copyOf(faults);
    }

    /**
     * An import.
     *
     * @param module first part of its name
     * @param name second part
     * @param type such as {@code (i32, i32) -> (i32)}; what it is when it is no function
     */
    public record Import(String module, String name, String type) {}

    /** Inspects modules. Thread-safe. */
    public interface Inspector {
        /**
         * Returns what a module is made of.
         *
         * @param memoryBytes most memory that its manifest asks for
         */
        ModuleSummary inspect(byte[] module, long memoryBytes);
    }
}
