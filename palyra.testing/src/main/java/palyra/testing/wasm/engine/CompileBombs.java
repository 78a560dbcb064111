package palyra.testing.wasm.engine;

import java.util.function.Consumer;
import palyra.shared.wasm.ByteWriter;

/**
 * Modules that are valid and cost much to compile: many functions with one body, written by hand in
 * the binary format. Each exports its first function as {@code run} and {@code palyra_call}, and a
 * memory.
 */
public final class CompileBombs {
    private static final int I32 = 0x7f;
    private static final int EMPTY = 0x40;
    private static final int BLOCK = 0x02;
    private static final int LOOP = 0x03;
    private static final int CONST = 0x41;
    private static final int DROP = 0x1a;
    private static final int END = 0x0b;

    private CompileBombs() {}

    /** 9,900 functions of 250 blocks, each within the other: more than 7 MB. */
    public static byte[] manyBlocks() {
        return nested(250, 9_900);
    }

    /** 16 functions of 21,500 loops, one after the other: 1 MB. */
    public static byte[] manyLoops() {
        return loops(21_500, 16);
    }

    /** Blocks within blocks that return a number. */
    public static byte[] nested(int depth, int functions) {
        return module(
                functions,
                body -> {
                    for (int at = 0; at < depth; at++) {
                        body.u8(BLOCK, I32);
                    }
                    body.u8(CONST, 7);
                    for (int at = 0; at < depth; at++) {
                        body.u8(END);
                    }
                });
    }

    /** Empty loops one after the other. */
    public static byte[] loops(int loops, int functions) {
        return module(
                functions,
                body -> {
                    for (int at = 0; at < loops; at++) {
                        body.u8(LOOP, EMPTY, END);
                    }
                    body.u8(CONST, 7);
                });
    }

    /** Numbers that are made and dropped, one after the other. */
    public static byte[] straight(int bytes, int functions) {
        return module(
                functions,
                body -> {
                    for (int at = 0; at < bytes; at += 3) {
                        body.u8(CONST, 1, DROP);
                    }
                    body.u8(CONST, 7);
                });
    }

    private static byte[] module(int functions, Consumer<ByteWriter> code) {
        ByteWriter body = new ByteWriter(1_024).u8(0); // no locals
        code.accept(body);
        body.u8(END);
        ByteWriter types = new ByteWriter(functions + 8).u32(functions);
        ByteWriter bodies = new ByteWriter(functions * (body.length() + 4)).u32(functions);
        for (int at = 0; at < functions; at++) {
            types.u32(0);
            bodies.sized(body);
        }
        return new ByteWriter(bodies.length() + 1_024)
                .u8(0, 'a', 's', 'm', 1, 0, 0, 0)
                .section(1, new ByteWriter(8).u8(1, 0x60, 0, 1, I32))
                .section(3, types)
                .section(5, new ByteWriter(8).u8(1, 0, 1))
                .section(
                        7,
                        new ByteWriter(64)
                                .u32(3)
                                .name("run")
                                .u8(0, 0)
                                .name("palyra_call")
                                .u8(0, 0)
                                .name("memory")
                                .u8(2, 0))
                .section(10, bodies)
                .toBytes();
    }
}
