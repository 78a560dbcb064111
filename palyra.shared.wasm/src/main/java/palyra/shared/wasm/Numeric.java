package palyra.shared.wasm;

/**
 * Types of the instructions on numbers and of those on memory, by their number in the binary format
 * (core specification, sections 5.4.7 and 5.4.8).
 */
final class Numeric {
    static final byte I32 = 0x7F;
    static final byte I64 = 0x7E;
    static final byte F32 = 0x7D;
    static final byte F64 = 0x7C;

    private static final byte[] OPERAND = new byte[0x100];
    private static final byte[] ARITY = new byte[0x100];
    private static final byte[] RESULT = new byte[0x100];
    private static final byte[] ALIGN = new byte[0x100];

    static {
        comparisons();
        arithmetic();
        conversions();
        memory();
    }

    private Numeric() {}

    /** Returns the type of all operands. */
    static byte operand(int opcode) {
        return OPERAND[opcode];
    }

    /** Returns how many operands there are, 1 or 2. */
    static int arity(int opcode) {
        return ARITY[opcode];
    }

    /** Returns the type of the result; of a load or store the type of the value. */
    static byte result(int opcode) {
        return RESULT[opcode];
    }

    /** Returns the largest alignment of a load or store, as a power of two. */
    static int align(int opcode) {
        return ALIGN[opcode];
    }

    private static void range(int first, int last, int arity, byte operand, byte result) {
        for (int opcode = first; opcode <= last; opcode++) {
            OPERAND[opcode] = operand;
            ARITY[opcode] = (byte) arity;
            RESULT[opcode] = result;
        }
    }

    private static void comparisons() {
        range(0x45, 0x45, 1, I32, I32);
        range(0x46, 0x4F, 2, I32, I32);
        range(0x50, 0x50, 1, I64, I32);
        range(0x51, 0x5A, 2, I64, I32);
        range(0x5B, 0x60, 2, F32, I32);
        range(0x61, 0x66, 2, F64, I32);
    }

    private static void arithmetic() {
        range(0x67, 0x69, 1, I32, I32);
        range(0x6A, 0x78, 2, I32, I32);
        range(0x79, 0x7B, 1, I64, I64);
        range(0x7C, 0x8A, 2, I64, I64);
        range(0x8B, 0x91, 1, F32, F32);
        range(0x92, 0x98, 2, F32, F32);
        range(0x99, 0x9F, 1, F64, F64);
        range(0xA0, 0xA6, 2, F64, F64);
    }

    private static void conversions() {
        range(0xA7, 0xA7, 1, I64, I32);
        range(0xA8, 0xA9, 1, F32, I32);
        range(0xAA, 0xAB, 1, F64, I32);
        range(0xAC, 0xAD, 1, I32, I64);
        range(0xAE, 0xAF, 1, F32, I64);
        range(0xB0, 0xB1, 1, F64, I64);
        range(0xB2, 0xB3, 1, I32, F32);
        range(0xB4, 0xB5, 1, I64, F32);
        range(0xB6, 0xB6, 1, F64, F32);
        range(0xB7, 0xB8, 1, I32, F64);
        range(0xB9, 0xBA, 1, I64, F64);
        range(0xBB, 0xBB, 1, F32, F64);
        range(0xBC, 0xBC, 1, F32, I32);
        range(0xBD, 0xBD, 1, F64, I64);
        range(0xBE, 0xBE, 1, I32, F32);
        range(0xBF, 0xBF, 1, I64, F64);
        range(0xC0, 0xC1, 1, I32, I32);
        range(0xC2, 0xC4, 1, I64, I64);
    }

    private static void memory() {
        byte[] types = {
            I32, I64, F32, F64, I32, I32, I32, I32, I64, I64, I64, I64, I64, I64, I32, I64, F32,
            F64, I32, I32, I64, I64, I64
        };
        byte[] aligns = {2, 3, 2, 3, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 2, 3, 0, 1, 0, 1, 2};
        System.arraycopy(types, 0, RESULT, Op.FIRST_LOAD, types.length);
        System.arraycopy(aligns, 0, ALIGN, Op.FIRST_LOAD, aligns.length);
    }

    /** Returns the operand's type of a saturating conversion. */
    static byte saturatingOperand(int number) {
        return (number & 2) == 0 ? F32 : F64;
    }

    /** Returns the result's type of a saturating conversion. */
    static byte saturatingResult(int number) {
        return number < 4 ? I32 : I64;
    }

    /**
     * Returns whether it is a rounding, a minimum or a maximum of floats: the instructions for
     * which engines were found to pass a signalling NaN through that the specification quiets.
     */
    static boolean nanIsOpen(int opcode) {
        return (opcode >= 0x8D && opcode <= 0x90)
                || (opcode >= 0x9B && opcode <= 0x9E)
                || opcode == 0x96
                || opcode == 0x97
                || opcode == 0xA4
                || opcode == 0xA5;
    }

    /** Returns whether a type is a float's. */
    static boolean isFloat(int type) {
        return type == F32 || type == F64;
    }
}
