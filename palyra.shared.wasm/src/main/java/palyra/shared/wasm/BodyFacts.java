package palyra.shared.wasm;

/**
 * Facts about a function's body from validation, for metering.
 *
 * @param locals parameters and locals
 * @param codeStart where its instructions begin in the module
 * @param slots room that its frame takes, in JVM slots: an upper bound
 * @param nesting deepest nesting of blocks
 * @param blocks blocks, loops and ifs
 * @param loops whether it has a loop
 * @param stretches about how many times it is charged
 * @param calls calls of any function
 * @param deeper whether it calls functions of the module, directly or not
 * @param grows whether it grows the memory
 * @param narrowNans whether a rounding, minimum or maximum of 32-bit floats is in it
 * @param wideNans the same of 64-bit floats
 */
record BodyFacts(
        int locals,
        int codeStart,
        int slots,
        int nesting,
        int blocks,
        boolean loops,
        int stretches,
        int calls,
        boolean deeper,
        boolean grows,
        boolean narrowNans,
        boolean wideNans) {}
