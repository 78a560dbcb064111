package palyra.shared.seccomp;

/**
 * One instruction of classic BPF: {@code struct sock_filter} of {@code linux/filter.h}.
 *
 * @param code operation
 * @param ifTrue instructions to skip when a comparison holds
 * @param ifFalse instructions to skip when it does not
 * @param operand number compared with, offset loaded from, or value returned
 */
record Instruction(int code, int ifTrue, int ifFalse, int operand) {
    /** {@code BPF_LD | BPF_W | BPF_ABS}: loads 32 bits of {@code struct seccomp_data}. */
    static final int LOAD = 0x20;

    /** {@code BPF_ALU | BPF_AND | BPF_K}. */
    static final int AND = 0x54;

    /** {@code BPF_JMP | BPF_JEQ | BPF_K}: equal. */
    static final int EQUAL = 0x15;

    /** {@code BPF_JMP | BPF_JGT | BPF_K}: greater, unsigned. */
    static final int GREATER = 0x25;

    /** {@code BPF_JMP | BPF_JSET | BPF_K}: any of the bits is set. */
    static final int ANY_BIT = 0x45;

    /** {@code BPF_RET | BPF_K}. */
    static final int RETURN = 0x06;

    /** Size in a program. */
    static final int BYTES = 8;

    private static final int MOST_SKIPPED = 255;

    Instruction {
        if (ifTrue < 0 || ifTrue > MOST_SKIPPED || ifFalse < 0 || ifFalse > MOST_SKIPPED) {
            throw new IllegalArgumentException("a jump of more than 255 instructions");
        }
    }

    static Instruction load(int offset) {
        return new Instruction(LOAD, 0, 0, offset);
    }

    static Instruction and(int mask) {
        return new Instruction(AND, 0, 0, mask);
    }

    static Instruction give(int result) {
        return new Instruction(RETURN, 0, 0, result);
    }

    static Instruction jump(int code, int operand, int ifTrue, int ifFalse) {
        return new Instruction(code, ifTrue, ifFalse, operand);
    }
}
