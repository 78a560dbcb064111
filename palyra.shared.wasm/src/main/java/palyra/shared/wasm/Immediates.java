package palyra.shared.wasm;

/** Moves over the operands of instructions in code that validated. */
final class Immediates {
    private Immediates() {}

    /** Moves over what follows an opcode; not for {@code 0xFC}. */
    static void skip(ByteReader in, int opcode) {
        switch (opcode) {
            case Op.BLOCK, Op.LOOP, Op.IF -> in.signed(33);
            case Op.BR, Op.BR_IF, Op.CALL -> in.u32();
            case Op.BR_TABLE -> {
                for (int labels = in.u32(); labels >= 0; labels--) {
                    in.u32();
                }
            }
            case Op.CALL_INDIRECT -> {
                in.u32();
                in.u32();
            }
            case Op.LOCAL_GET, Op.LOCAL_SET, Op.LOCAL_TEE, Op.GLOBAL_GET, Op.GLOBAL_SET -> in.u32();
            case Op.MEMORY_SIZE, Op.MEMORY_GROW -> in.u8();
            case Op.I32_CONST -> in.signed(32);
            case Op.I64_CONST -> in.signed(64);
            case Op.F32_CONST -> in.skip(4);
            case Op.F64_CONST -> in.skip(8);
            default -> {
                if (opcode >= Op.FIRST_LOAD && opcode <= Op.LAST_STORE) {
                    in.u32();
                    in.u32();
                }
            }
        }
    }

    /** Reads the number after {@code 0xFC} and moves over what follows it. */
    static int prefixed(ByteReader in) {
        int number = in.u32();
        switch (number) {
            case Op.MEMORY_INIT, Op.TABLE_INIT, Op.TABLE_COPY, Op.MEMORY_COPY -> {
                in.u32();
                in.u32();
            }
            case Op.DATA_DROP, Op.ELEM_DROP, Op.MEMORY_FILL -> in.u32();
            default -> {}
        }
        return number;
    }

    /** Moves to the end or else of the block that is open. */
    static void skipBlock(ByteReader in) {
        for (int nested = 0; ; ) {
            int opcode = in.peek();
            if (nested == 0 && (opcode == Op.END || opcode == Op.ELSE)) {
                return;
            }
            in.u8();
            if (opcode == Op.PREFIX) {
                prefixed(in);
            } else {
                skip(in, opcode);
            }
            nested += opcode == Op.BLOCK || opcode == Op.LOOP || opcode == Op.IF ? 1 : 0;
            nested -= opcode == Op.END ? 1 : 0;
        }
    }
}
