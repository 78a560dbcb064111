package palyra.testing.wasm;

import java.util.Random;

/** Makes expressions of a type: code that leaves one value. */
final class ExpressionGenerator {
    private static final int[] INT_BINARY = {
        0x6A, 0x6B, 0x6C, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x46, 0x47, 0x48, 0x49,
        0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F
    };
    private static final int[] FLOAT_BINARY = {0, 1, 2, 3, 4, 5};

    private final Random random;
    private final WasmCode code;
    private final String locals;
    private final int own; // where the function's own locals begin

    ExpressionGenerator(Random random, WasmCode code, String locals, int own) {
        this.random = random;
        this.code = code;
        this.locals = locals;
        this.own = own;
    }

    /** Leaves a value. */
    void value(char type, int depth) {
        if (depth <= 0 || random.nextInt(5) == 0) {
            leaf(type);
            return;
        }
        switch (random.nextInt(8)) {
            case 0 -> choice(type, depth);
            case 1 -> block(type, depth);
            case 2 -> load(type);
            default -> operation(type, depth);
        }
    }

    private void leaf(char type) {
        if (random.nextBoolean()) {
            code.get(local(type));
            return;
        }
        int small = random.nextInt(200) - 100;
        switch (type) {
            case 'i' -> {
                if (random.nextInt(4) == 0) {
                    code.getGlobal(random.nextBoolean() ? 0 : 3);
                } else {
                    code.i32(random.nextBoolean() ? small : random.nextInt());
                }
            }
            case 'I' -> code.i64(random.nextBoolean() ? small : random.nextLong());
            case 'f' -> code.f32(small / 4f);
            default -> code.f64(random.nextInt(20) == 0 ? Double.POSITIVE_INFINITY : small / 8.0);
        }
    }

    /** Returns a local of a type that is not a counter or scratch. */
    private int local(char type) {
        int tries = random.nextInt(own + 8);
        while (locals.charAt(tries) != type) {
            tries = (tries + 1) % (own + 8);
        }
        return tries;
    }

    private void choice(char type, int depth) {
        if (random.nextBoolean()) {
            value(type, depth - 1);
            value(type, depth - 1);
            value('i', depth - 1);
            code.op(0x1B);
            return;
        }
        value('i', depth - 1);
        code.open(0x04, type);
        value(type, depth - 1);
        code.otherwise();
        value(type, depth - 1);
        code.end();
    }

    /** A block that a branch may leave with its value. */
    private void block(char type, int depth) {
        code.open(0x02, type);
        value(type, depth - 1);
        value('i', depth - 1);
        code.brIf(0);
        if (random.nextInt(6) == 0) {
            code.br(0);
        }
        code.end();
    }

    /** Leaves an address, nearly always one inside. */
    void address() {
        value('i', 1);
        if (random.nextInt(150) != 0) {
            code.i32(0x3FFF).op(0x71);
        }
    }

    private void load(char type) {
        int[] opcodes =
                switch (type) {
                    case 'i' -> new int[] {0x28, 0x2C, 0x2D, 0x2E, 0x2F};
                    case 'I' -> new int[] {0x29, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35};
                    case 'f' -> new int[] {0x2A};
                    default -> new int[] {0x2B};
                };
        address();
        code.access(one(opcodes), random.nextInt(128));
    }

    private int one(int... opcodes) {
        return opcodes[random.nextInt(opcodes.length)];
    }

    private void operation(char type, int depth) {
        switch (type) {
            case 'i' -> integer(depth);
            case 'I' -> wide(depth);
            case 'f' -> floating(type, depth, 0x92, 0x8B);
            default -> floating(type, depth, 0xA0, 0x99);
        }
    }

    private void integer(int depth) {
        switch (random.nextInt(9)) {
            case 0 -> unary('i', depth, one(0x45, 0x67, 0x68, 0x69, 0xC0, 0xC1));
            case 1 -> unary('I', depth, one(0x50, 0xA7));
            case 2 -> binary('I', depth, 0x51 + random.nextInt(10));
            case 3 -> binary('f', depth, 0x5B + random.nextInt(6));
            case 4 -> binary('F', depth, 0x61 + random.nextInt(6));
            case 5 -> division('i', depth, 0x6D + random.nextInt(4));
            case 6 -> convert(depth, 0, 0xA8, 0xBC);
            default -> binary('i', depth, one(INT_BINARY));
        }
    }

    private void wide(int depth) {
        switch (random.nextInt(7)) {
            case 0 -> unary('I', depth, one(0x79, 0x7A, 0x7B, 0xC2, 0xC3, 0xC4));
            case 1 -> unary('i', depth, one(0xAC, 0xAD));
            case 2 -> division('I', depth, 0x7F + random.nextInt(4));
            case 3 -> convert(depth, 4, 0xAE, 0xBD);
            default ->
                    binary(
                            'I',
                            depth,
                            one(0x7C, 0x7D, 0x7E, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A));
        }
    }

    private void unary(char operand, int depth, int opcode) {
        value(operand, depth - 1);
        code.op(opcode);
    }

    private void binary(char operand, int depth, int opcode) {
        value(operand, depth - 1);
        value(operand, depth - 1);
        code.op(opcode);
    }

    /** Mostly by something that is not 0. */
    private void division(char type, int depth, int opcode) {
        value(type, depth - 1);
        value(type, depth - 1);
        if (random.nextInt(30) != 0) {
            if (type == 'i') {
                code.i32(0xFF).op(0x71).i32(1).op(0x72);
            } else {
                code.i64(0xFF).op(0x83).i64(1).op(0x84);
            }
        }
        code.op(opcode);
    }

    /** From floats: mostly saturating, now and then trapping, now and then their bits. */
    private void convert(int depth, int saturating, int trapping, int bits) {
        boolean big = random.nextBoolean();
        char operand = big ? 'F' : 'f';
        value(operand, depth - 1);
        if (random.nextInt(25) == 0) {
            code.op(trapping + (big ? 2 : 0) + random.nextInt(2));
        } else if (random.nextInt(4) == 0 && big == (saturating == 4)) {
            settled(operand);
            code.op(bits);
        } else {
            code.prefixed(saturating + (big ? 2 : 0) + random.nextInt(2));
        }
    }

    private void floating(char type, int depth, int binary, int unary) {
        boolean big = type == 'F';
        switch (random.nextInt(8)) {
            case 0 -> unary('i', depth, (big ? 0xB7 : 0xB2) + random.nextInt(2));
            case 1 -> unary('I', depth, (big ? 0xB9 : 0xB4) + random.nextInt(2));
            case 2 -> unary(big ? 'f' : 'F', depth, big ? 0xBB : 0xB6);
            case 3 -> unary(type, depth, unary + random.nextInt(7));
            case 4 -> unary(big ? 'I' : 'i', depth, big ? 0xBF : 0xBE);
            case 5 -> {
                value(type, depth - 1);
                value(type, depth - 1);
                settled(type);
                code.op(binary + 6);
            }
            default -> binary(type, depth, binary + one(FLOAT_BINARY));
        }
    }

    /** Replaces a NaN on the stack by a number, because engines differ in its bits. */
    void settled(char type) {
        if (type == 'f') {
            code.tee(own + 11).f32(1.5f).get(own + 11).get(own + 11).op(0x5B, 0x1B);
        } else if (type == 'F') {
            code.tee(own + 12).f64(2.5).get(own + 12).get(own + 12).op(0x61, 0x1B);
        }
    }

    /** Mixes all locals and a part of the memory into an integer on the stack. */
    void mix(char type) {
        for (int i = 0; i < own + 8; i++) {
            char of = locals.charAt(i);
            if (of == 'i') {
                code.get(i);
                widen(type, 0xAC);
            } else if (of == 'I') {
                code.get(i);
                narrow(type);
            } else if (of == 'f') {
                code.get(i).prefixed(type == 'I' ? 4 : 0);
            } else {
                code.get(i).prefixed(type == 'I' ? 6 : 2);
            }
            code.op(type == 'I' ? 0x85 : 0x73);
        }
        code.i32(64).access(type == 'I' ? 0x29 : 0x28, 8).op(type == 'I' ? 0x7C : 0x6A);
    }

    private void widen(char type, int opcode) {
        if (type == 'I') {
            code.op(opcode);
        }
    }

    private void narrow(char type) {
        if (type != 'I') {
            code.op(0xA7);
        }
    }
}
