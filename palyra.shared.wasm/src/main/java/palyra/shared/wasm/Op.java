package palyra.shared.wasm;

/** Opcodes of instructions that need more than their types (core specification, section 5.4). */
final class Op {
    static final int UNREACHABLE = 0x00;
    static final int NOP = 0x01;
    static final int BLOCK = 0x02;
    static final int LOOP = 0x03;
    static final int IF = 0x04;
    static final int ELSE = 0x05;
    static final int END = 0x0B;
    static final int BR = 0x0C;
    static final int BR_IF = 0x0D;
    static final int BR_TABLE = 0x0E;
    static final int RETURN = 0x0F;
    static final int CALL = 0x10;
    static final int CALL_INDIRECT = 0x11;
    static final int DROP = 0x1A;
    static final int SELECT = 0x1B;
    static final int SELECT_TYPED = 0x1C;
    static final int LOCAL_GET = 0x20;
    static final int LOCAL_SET = 0x21;
    static final int LOCAL_TEE = 0x22;
    static final int GLOBAL_GET = 0x23;
    static final int GLOBAL_SET = 0x24;
    static final int FIRST_LOAD = 0x28;
    static final int FIRST_STORE = 0x36;
    static final int LAST_STORE = 0x3E;
    static final int MEMORY_SIZE = 0x3F;
    static final int MEMORY_GROW = 0x40;
    static final int I32_CONST = 0x41;
    static final int I64_CONST = 0x42;
    static final int F32_CONST = 0x43;
    static final int F64_CONST = 0x44;
    static final int FIRST_NUMERIC = 0x45;
    static final int I32_ADD = 0x6A;
    static final int I32_SUB = 0x6B;
    static final int I32_LT_S = 0x48;
    static final int I64_LT_S = 0x53;
    static final int F32_EQ = 0x5B;
    static final int F64_EQ = 0x61;
    static final int I64_LE_U = 0x58;
    static final int I64_ADD = 0x7C;
    static final int I64_SUB = 0x7D;
    static final int I64_MUL = 0x7E;
    static final int I64_SHR_U = 0x88;
    static final int I64_EXTEND_I32_U = 0xAD;
    static final int FIRST_SIGN_EXTENSION = 0xC0;
    static final int LAST_NUMERIC = 0xC4;
    static final int REF_NULL = 0xD0;
    static final int REF_FUNC = 0xD2;
    static final int GC = 0xFB;
    static final int PREFIX = 0xFC;
    static final int SIMD = 0xFD;
    static final int THREADS = 0xFE;

    /** After {@link #PREFIX}. */
    static final int LAST_SATURATING = 7;

    static final int MEMORY_INIT = 8;
    static final int DATA_DROP = 9;
    static final int MEMORY_COPY = 10;
    static final int MEMORY_FILL = 11;
    static final int TABLE_INIT = 12;
    static final int ELEM_DROP = 13;
    static final int TABLE_COPY = 14;

    /** Type of a block with neither parameters nor results. */
    static final int EMPTY_BLOCK = 0x40;

    private Op() {}

    /** Returns what refuses an instruction that is not known. */
    static ModuleException unknown(int opcode, int offset, ByteReader in) {
        String what = "instruction 0x" + Integer.toHexString(opcode);
        return switch (opcode) {
            case 0x06, 0x07, 0x08, 0x09, 0x0A, 0x18, 0x19, 0x1F ->
                    Feature.EXCEPTIONS.refused(offset, what);
            case 0x12, 0x13 -> Feature.TAIL_CALLS.refused(offset, what);
            case 0x14, 0x15, 0xD3, 0xD4, 0xD5, 0xD6, GC -> Feature.GC.refused(offset, what);
            case 0x25, 0x26, REF_NULL, 0xD1, REF_FUNC ->
                    Feature.REFERENCE_TYPES.refused(offset, what);
            case SIMD -> Feature.SIMD.refused(offset, what);
            case THREADS -> Feature.THREADS.refused(offset, what);
            default -> in.malformed("no " + what);
        };
    }

    /** Returns what refuses an instruction after {@link #PREFIX} that is not known. */
    static ModuleException unknownAfterPrefix(int number, int offset, ByteReader in) {
        String what = "instruction 0xfc " + Integer.toUnsignedString(number);
        if (number >= 15 && number <= 17) {
            return Feature.REFERENCE_TYPES.refused(offset, what);
        }
        return number >= 19 && number <= 22
                ? Feature.WIDE_ARITHMETIC.refused(offset, what)
                : in.malformed("no " + what);
    }
}
