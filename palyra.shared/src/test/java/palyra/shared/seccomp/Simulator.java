package palyra.shared.seccomp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Runs a filter as the kernel does, on any processor, and checks what the kernel checks first. */
final class Simulator {
    private final ByteBuffer program;

    Simulator(byte[] program) {
        this.program = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
        check(program.length / 8);
    }

    /** Does what {@code bpf_check_classic} and {@code seccomp_check_filter} do. */
    private void check(int count) {
        for (int at = 0; at < count; at++) {
            int code = program.getShort(at * 8) & 0xFFFF;
            int ifTrue = program.get(at * 8 + 2) & 0xFF;
            int ifFalse = program.get(at * 8 + 3) & 0xFF;
            int operand = program.getInt(at * 8 + 4);
            boolean fine =
                    switch (code) {
                        case 0x20 -> operand >= 0 && operand < 64 && operand % 4 == 0;
                        case 0x15, 0x25, 0x45 ->
                                at + 1 + ifTrue < count && at + 1 + ifFalse < count;
                        case 0x06, 0x54 -> true;
                        default -> false;
                    };
            if (!fine) {
                throw new IllegalStateException("the kernel would refuse instruction " + at);
            }
        }
        if ((program.getShort((count - 1) * 8) & 0xFFFF) != 0x06) {
            throw new IllegalStateException("the last instruction returns nothing");
        }
    }

    /** Returns what the filter says about a call. */
    int run(int architecture, int number, long... arguments) {
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(0, number);
        data.putInt(4, architecture);
        for (int at = 0; at < arguments.length; at++) {
            data.putLong(16 + at * 8, arguments[at]);
        }
        int accumulator = 0;
        int at = 0;
        while (true) {
            int code = program.getShort(at * 8) & 0xFFFF;
            int operand = program.getInt(at * 8 + 4);
            switch (code) {
                case 0x20 -> accumulator = data.getInt(operand);
                case 0x54 -> accumulator &= operand;
                case 0x06 -> {
                    return operand;
                }
                default -> at += holds(code, accumulator, operand) ? skip(at, 2) : skip(at, 3);
            }
            at++;
        }
    }

    private int skip(int at, int field) {
        return program.get(at * 8 + field) & 0xFF;
    }

    private static boolean holds(int code, int accumulator, int operand) {
        return switch (code) {
            case 0x15 -> accumulator == operand;
            case 0x25 -> Integer.compareUnsigned(accumulator, operand) > 0;
            case 0x45 -> (accumulator & operand) != 0;
            default -> throw new IllegalStateException("operation " + code);
        };
    }
}
