package palyra.shared.wasm;

import palyra.api.core.wasm.WasmModule;

/** The functions that metering adds to a module: accessors for the host, and charges by length. */
final class MeterFunctions {
    private static final byte[] NOTHING = {};
    private static final byte[] INT = {Numeric.I32};
    private static final byte[] LONG = {Numeric.I64};

    private final MeterLayout layout;
    private final int memoryPages;

    MeterFunctions(MeterLayout layout, int memoryPages) {
        this.layout = layout;
        this.memoryPages = memoryPages;
    }

    /** Added functions in the order of their indices; the last one needs a memory. */
    enum Added {
        FUEL(NOTHING, LONG),
        REFUEL(LONG, NOTHING),
        STOPPED(NOTHING, INT),
        OUT_OF_FUEL(LONG, NOTHING),
        TOO_DEEP(NOTHING, NOTHING),
        BULK_MEMORY(INT, INT),
        BULK_TABLE(INT, INT),
        GROW(INT, INT);

        private final Signature type;

        Added(byte[] parameters, byte[] results) {
            type = new Signature(parameters, results);
        }

        Signature type() {
            return type;
        }
    }

    /** Writes the body of one, with its size before it. */
    void write(Added which, ByteWriter out) {
        ByteWriter body = new ByteWriter(64);
        if (which == Added.GROW) {
            body.u32(1).u32(1).u8(Numeric.I64);
        } else {
            body.u32(0);
        }
        switch (which) {
            case FUEL -> body.u8(Op.GLOBAL_GET).u32(layout.fuel());
            case REFUEL -> body.u8(Op.LOCAL_GET, 0, Op.GLOBAL_SET).u32(layout.fuel());
            case STOPPED -> body.u8(Op.GLOBAL_GET).u32(layout.stopped());
            case OUT_OF_FUEL -> {
                body.u8(Op.LOCAL_GET, 0, Op.GLOBAL_SET).u32(layout.fuel());
                stop(body, WasmModule.STOPPED_BY_FUEL);
            }
            case TOO_DEEP -> stop(body, WasmModule.STOPPED_BY_DEPTH);
            case BULK_MEMORY -> bytes(body);
            case BULK_TABLE -> entries(body);
            case GROW -> pages(body);
        }
        out.sized(body.u8(Op.END));
    }

    private void stop(ByteWriter body, int why) {
        body.u8(Op.I32_CONST).s64(why).u8(Op.GLOBAL_SET).u32(layout.stopped()).u8(Op.UNREACHABLE);
    }

    private void bytes(ByteWriter body) {
        body.u8(Op.GLOBAL_GET).u32(layout.fuel()).u8(Op.LOCAL_GET, 0, Op.I64_EXTEND_I32_U);
        body.u8(Op.I64_CONST).s64(MeterCosts.BULK_SHIFT).u8(Op.I64_SHR_U, Op.I64_SUB);
        charged(body);
        body.u8(Op.LOCAL_GET, 0);
    }

    private void entries(ByteWriter body) {
        body.u8(Op.GLOBAL_GET).u32(layout.fuel()).u8(Op.LOCAL_GET, 0, Op.I64_EXTEND_I32_U);
        body.u8(Op.I64_CONST).s64(MeterCosts.TABLE_ENTRY).u8(Op.I64_MUL, Op.I64_SUB);
        charged(body);
        body.u8(Op.LOCAL_GET, 0);
    }

    /**
     * Local 1 is how many pages there would be; beyond the cap it fails and costs nothing. The host
     * is asked for the pages once they are paid.
     */
    private void pages(ByteWriter body) {
        body.u8(Op.LOCAL_GET, 0, Op.I64_EXTEND_I32_U, Op.MEMORY_SIZE, 0, Op.I64_EXTEND_I32_U);
        body.u8(Op.I64_ADD, Op.LOCAL_TEE, 1, Op.I64_CONST).s64(memoryPages).u8(Op.I64_LE_U);
        body.u8(Op.IF, Op.EMPTY_BLOCK, Op.GLOBAL_GET).u32(layout.fuel());
        body.u8(Op.LOCAL_GET, 1, Op.I64_CONST).s64(MeterCosts.PAGE).u8(Op.I64_MUL, Op.I64_SUB);
        charged(body);
        if (layout.grows()) {
            body.u8(Op.LOCAL_GET, 0, Op.CALL).u32(layout.grow());
        }
        body.u8(Op.END, Op.LOCAL_GET, 0);
    }

    /** The new fuel is on the stack: keeps it, and stops when it is below 0. */
    private void charged(ByteWriter body) {
        body.u8(Op.GLOBAL_SET).u32(layout.fuel()).u8(Op.GLOBAL_GET).u32(layout.fuel());
        body.u8(Op.I64_CONST, 0, Op.I64_LT_S, Op.IF, Op.EMPTY_BLOCK, Op.GLOBAL_GET);
        body.u32(layout.fuel()).u8(Op.CALL).u32(layout.function(Added.OUT_OF_FUEL)).u8(Op.END);
    }
}
