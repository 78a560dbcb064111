package palyra.shared.wasm;

import palyra.api.Require;

/**
 * Limits of a module's sizes and counts. Engines take time and memory for each of them, so all are
 * checked before an engine sees the module, and before memory is set aside for what a count
 * announces. The last four are the part of a compiler's budget that needs no compiler to be judged;
 * what they are worth in heap and time is in {@code docs/wasm.md}.
 *
 * @param moduleBytes bytes of the module
 * @param functionBytes bytes of one function's body. The JVM takes 64 KiB of bytecode for one
 *     method; a body near the limit can compile to more, and is then for the engine's interpreter,
 *     or not for it at all, with the same fuel
 * @param nesting blocks within blocks
 * @param locals locals of a function, parameters included
 * @param parameters parameters of a function or block: a JVM method has at most 255 slots, and an
 *     i64 takes two
 * @param results results of a function or block
 * @param types function types
 * @param functions functions, imported ones included
 * @param imports imports
 * @param exports exports
 * @param globals globals
 * @param segments data segments and element segments, each
 * @param tableEntries entries of the table, which is clamped to it, and of all element segments
 * @param dataBytes bytes of all data segments
 * @param nameBytes bytes of one name
 * @param memoryPages pages of 64 KiB of the memory, which is clamped to it
 * @param depth call depth, in frames of a usual size; see {@link MeterCosts}
 * @param meteredBytes bytes of the module that metering makes, which is what engines compile
 * @param functionBlocks blocks, loops and ifs of one function: a compiler's time for them grows by
 *     their square
 * @param blocks blocks, loops and ifs of all functions together
 * @param allLocals locals of all functions together, parameters included
 */
public record AdmissionLimits(
        int moduleBytes,
        int functionBytes,
        int nesting,
        int locals,
        int parameters,
        int results,
        int types,
        int functions,
        int imports,
        int exports,
        int globals,
        int segments,
        int tableEntries,
        int dataBytes,
        int nameBytes,
        int memoryPages,
        int depth,
        int meteredBytes,
        int functionBlocks,
        int blocks,
        int allLocals) {
    /** The defaults: 16 MiB of memory, 1,000 calls deep. */
    public static final AdmissionLimits DEFAULTS =
            new AdmissionLimits(
                    8 << 20, 64 << 10, 256, 1_000, 100, 16, 10_000, 10_000, 1_000, 10_000, 10_000,
                    10_000, 10_000, 2 << 20, 1_000, 256, 1_000, 5 << 20, 8_192, 131_072, 500_000);

    /** Most that {@link #depth} can be: more would overflow stacks of 2 MiB. */
    public static final int MOST_DEPTH = 1_000;

    /** Checks. */
    public AdmissionLimits {
        Require.that(moduleBytes >= 8, "a module has at least 8 bytes");
        Require.that(memoryPages >= 0 && memoryPages <= 65_536, "a memory has 0 to 65,536 pages");
        Require.that(depth >= 1 && depth <= MOST_DEPTH, "call depth is 1 to " + MOST_DEPTH);
    }

    /** Returns these limits with another cap on the memory, in pages of 64 KiB. */
    public AdmissionLimits withMemoryPages(int pages) {
        return with(pages, depth);
    }

    /** Returns these limits with another call depth. */
    public AdmissionLimits withDepth(int most) {
        return with(memoryPages, most);
    }

    private AdmissionLimits with(int pages, int calls) {
        return new AdmissionLimits(
                moduleBytes,
                functionBytes,
                nesting,
                locals,
                parameters,
                results,
                types,
                functions,
                imports,
                exports,
                globals,
                segments,
                tableEntries,
                dataBytes,
                nameBytes,
                pages,
                calls,
                meteredBytes,
                functionBlocks,
                blocks,
                allLocals);
    }
}
