package palyra.shared.wasm;

/**
 * The prices of instructions, in units of fuel. A unit is about one simple instruction. Changing a
 * number here changes what modules use, so it changes {@link #VERSION} as well.
 */
public final class MeterCosts {
    /** Version of this table and of the places where metering charges. */
    public static final int VERSION = 3;

    /** Any instruction that is not named below. */
    public static final int SIMPLE = 1;

    /** A load or a store. */
    public static final int ACCESS = 2;

    /** {@code br_table}, a rounding, a minimum, a maximum, a conversion from float to integer. */
    public static final int MIDDLE = 3;

    /** {@code call}. */
    public static final int CALL = 5;

    /** A division, a remainder, a square root. */
    public static final int DIVISION = 8;

    /** {@code call_indirect}. */
    public static final int CALL_INDIRECT = 10;

    /** An instruction on a range of a memory or table, beside what its length costs. */
    public static final int BULK = 20;

    /** {@code memory.grow}, beside what its pages cost. */
    public static final int GROW = 100;

    /** Entering a function of the module, beside what its locals cost. */
    public static final int ENTRY = 2;

    /** Locals of a function that cost one unit together: they are set to zero. */
    public static final int LOCALS_PER_UNIT = 8;

    /** Power of two of the bytes that {@code memory.copy, fill, init} move for one unit: 8. */
    public static final int BULK_SHIFT = 3;

    /** Each entry that {@code table.copy, init} move. */
    public static final int TABLE_ENTRY = 2;

    /**
     * Each page of the memory that {@code memory.grow} makes, old ones included because engines
     * copy them: 64 bytes for one unit. A growth beyond the cap costs no pages.
     */
    public static final int PAGE = 1_024;

    /** A call of a host function, beside what it moves; {@link HostMeter} charges it. */
    public static final int HOST_CALL = 1_000;

    /** Each byte that a host function reads from the module's memory or writes to it. */
    public static final int HOST_BYTE = 1;

    /** Most units in one function between two looks at whether there is fuel left. */
    static final int UNCHECKED = 500;

    /** Slots of a frame that count one in call depth. */
    static final int SLOTS_PER_DEPTH = 64;

    /** A function that calls none of the module's and counts no more than this is not counted. */
    static final int FREE_LEAF = 4;

    private static final byte[] COSTS = new byte[0x100];

    static {
        java.util.Arrays.fill(COSTS, (byte) SIMPLE);
        set(0, Op.ELSE, Op.END);
        set(MIDDLE, Op.BR_TABLE);
        set(CALL, Op.CALL);
        set(CALL_INDIRECT, Op.CALL_INDIRECT);
        set(GROW, Op.MEMORY_GROW);
        for (int opcode = Op.FIRST_LOAD; opcode <= Op.LAST_STORE; opcode++) {
            set(ACCESS, opcode);
        }
        set(DIVISION, 0x6D, 0x6E, 0x6F, 0x70, 0x7F, 0x80, 0x81, 0x82); // div and rem of integers
        set(DIVISION, 0x91, 0x95, 0x9F, 0xA3); // sqrt and div of floats
        set(MIDDLE, 0x8D, 0x8E, 0x8F, 0x90, 0x9B, 0x9C, 0x9D, 0x9E); // ceil, floor, trunc, nearest
        set(MIDDLE, 0x96, 0x97, 0xA4, 0xA5); // min, max
        set(MIDDLE, 0xA8, 0xA9, 0xAA, 0xAB, 0xAE, 0xAF, 0xB0, 0xB1); // trunc to integers
    }

    private MeterCosts() {}

    private static void set(int cost, int... opcodes) {
        for (int opcode : opcodes) {
            COSTS[opcode] = (byte) cost;
        }
    }

    /** Returns what an instruction without prefix costs. */
    static int of(int opcode) {
        return COSTS[opcode];
    }

    /** Returns what an instruction after the prefix 0xFC costs. */
    static int prefixed(int number) {
        return number <= Op.LAST_SATURATING ? MIDDLE : BULK;
    }

    /** Returns what entering a function costs. */
    static int entry(int locals) {
        return ENTRY + locals / LOCALS_PER_UNIT;
    }

    /** Returns how much a frame counts in call depth. */
    static int depth(int slots) {
        return 1 + slots / SLOTS_PER_DEPTH;
    }
}
