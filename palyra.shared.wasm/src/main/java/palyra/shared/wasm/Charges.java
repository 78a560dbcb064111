package palyra.shared.wasm;

import palyra.shared.wasm.MeterFunctions.Added;

/**
 * The code that metering inserts into one function. When the function has loops or many branches
 * its fuel is kept in a local between calls ({@code cached}); otherwise the local is for passing.
 *
 * @param layout where things are
 * @param cached whether fuel is kept in the local
 * @param fuelLocal index of an i64 that the function did not have
 * @param depthLocal index of an i32 that the function did not have
 */
record Charges(MeterLayout layout, boolean cached, int fuelLocal, int depthLocal) {
    /** Charges at the beginning of the function, and stops when that is too much. */
    void entry(ByteWriter out, int cost) {
        load(out);
        minus(out, cost);
        tee(out);
        if (!cached) {
            store(out);
        }
        check(out);
    }

    /** Charges at the head of a loop, where the global is brought up to date. */
    void loop(ByteWriter out, int cost) {
        if (cached) {
            local(out, Op.LOCAL_GET);
        } else {
            load(out);
        }
        minus(out, cost);
        tee(out);
        store(out);
        check(out);
    }

    /** Charges fuel, and checks the rest only when {@code check}. */
    void plain(ByteWriter out, int cost, boolean check) {
        if (check) {
            checked(out, cost);
        } else if (cached) {
            local(out, Op.LOCAL_GET);
            minus(out, cost);
            local(out, Op.LOCAL_SET);
        } else {
            load(out);
            minus(out, cost);
            out.u8(Op.GLOBAL_SET).u32(layout.fuel());
        }
    }

    private void checked(ByteWriter out, int cost) {
        if (cached) {
            local(out, Op.LOCAL_GET);
        } else {
            load(out);
        }
        minus(out, cost);
        tee(out);
        if (!cached) {
            store(out);
        }
        check(out);
    }

    /** Before other code runs: stores the remaining fuel in the global. */
    void save(ByteWriter out) {
        if (cached) {
            local(out, Op.LOCAL_GET);
            out.u8(Op.GLOBAL_SET).u32(layout.fuel());
        }
    }

    /** After code of others ran. */
    void restore(ByteWriter out) {
        if (cached) {
            load(out);
            local(out, Op.LOCAL_SET);
        }
    }

    /** Calls a function that charges by the number on the stack and leaves it there. */
    void length(ByteWriter out, Added by) {
        save(out);
        out.u8(Op.CALL).u32(layout.function(by));
        restore(out);
    }

    /** Counts a frame of a function that calls others. */
    void enter(ByteWriter out, int weight) {
        out.u8(Op.GLOBAL_GET).u32(layout.depth()).u8(Op.I32_CONST).s64(weight).u8(Op.I32_SUB);
        out.u8(Op.LOCAL_TEE).u32(depthLocal).u8(Op.GLOBAL_SET).u32(layout.depth());
        out.u8(Op.LOCAL_GET).u32(depthLocal).u8(Op.I32_CONST, 0, Op.I32_LT_S);
        tooDeep(out);
    }

    /** Looks whether there is room for a frame that calls no others. */
    void leaf(ByteWriter out, int weight) {
        out.u8(Op.GLOBAL_GET).u32(layout.depth()).u8(Op.I32_CONST).s64(weight).u8(Op.I32_LT_S);
        tooDeep(out);
    }

    private void tooDeep(ByteWriter out) {
        out.u8(Op.IF, Op.EMPTY_BLOCK, Op.CALL).u32(layout.function(Added.TOO_DEEP)).u8(Op.END);
    }

    /** Gives the frame's depth back. */
    void leave(ByteWriter out, int weight) {
        out.u8(Op.LOCAL_GET).u32(depthLocal).u8(Op.I32_CONST).s64(weight).u8(Op.I32_ADD);
        out.u8(Op.GLOBAL_SET).u32(layout.depth());
    }

    /** Stops a function that others than the module call, when it used too much. */
    void exported(ByteWriter out) {
        load(out);
        tee(out);
        check(out);
    }

    private void load(ByteWriter out) {
        out.u8(Op.GLOBAL_GET).u32(layout.fuel());
    }

    /** Stores the top of the stack in the local. */
    private void tee(ByteWriter out) {
        local(out, Op.LOCAL_SET);
    }

    private void store(ByteWriter out) {
        local(out, Op.LOCAL_GET);
        out.u8(Op.GLOBAL_SET).u32(layout.fuel());
    }

    private void check(ByteWriter out) {
        local(out, Op.LOCAL_GET);
        out.u8(Op.I64_CONST, 0, Op.I64_LT_S, Op.IF, Op.EMPTY_BLOCK);
        local(out, Op.LOCAL_GET);
        out.u8(Op.CALL).u32(layout.function(Added.OUT_OF_FUEL)).u8(Op.END);
    }

    private void local(ByteWriter out, int opcode) {
        out.u8(opcode).u32(fuelLocal);
    }

    private static void minus(ByteWriter out, int cost) {
        out.u8(Op.I64_CONST).s64(cost).u8(Op.I64_SUB);
    }
}
