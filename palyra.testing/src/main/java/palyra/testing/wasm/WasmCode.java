package palyra.testing.wasm;

import palyra.shared.wasm.ByteWriter;

/**
 * Instructions of a function, in the order in which they are written. Opcodes are numbers of the
 * WebAssembly core specification, section 5.4; what is common has a method. Not thread-safe.
 */
public final class WasmCode {
    private final ByteWriter out = new ByteWriter(64);

    /** Writes opcodes without operands, or any bytes. */
    public WasmCode op(int... opcodes) {
        out.u8(opcodes);
        return this;
    }

    /** Writes an opcode and an index. */
    public WasmCode indexed(int opcode, int index) {
        out.u8(opcode).u32(index);
        return this;
    }

    /** {@code i32.const}. */
    public WasmCode i32(int value) {
        out.u8(0x41).s64(value);
        return this;
    }

    /** {@code i64.const}. */
    public WasmCode i64(long value) {
        out.u8(0x42).s64(value);
        return this;
    }

    /** {@code f32.const}. */
    public WasmCode f32(float value) {
        out.u8(0x43).fixed(Float.floatToIntBits(value), 4);
        return this;
    }

    /** {@code f64.const}. */
    public WasmCode f64(double value) {
        out.u8(0x44).fixed(Double.doubleToLongBits(value), 8);
        return this;
    }

    /** {@code local.get}. */
    public WasmCode get(int local) {
        return indexed(0x20, local);
    }

    /** {@code local.set}. */
    public WasmCode set(int local) {
        return indexed(0x21, local);
    }

    /** {@code local.tee}. */
    public WasmCode tee(int local) {
        return indexed(0x22, local);
    }

    /** {@code global.get}. */
    public WasmCode getGlobal(int global) {
        return indexed(0x23, global);
    }

    /** {@code global.set}. */
    public WasmCode setGlobal(int global) {
        return indexed(0x24, global);
    }

    /** {@code call}. */
    public WasmCode call(int function) {
        return indexed(0x10, function);
    }

    /** {@code call_indirect} through table 0. */
    public WasmCode callIndirect(int type) {
        return indexed(0x11, type).op(0);
    }

    /** {@code br}. */
    public WasmCode br(int label) {
        return indexed(0x0C, label);
    }

    /** {@code br_if}. */
    public WasmCode brIf(int label) {
        return indexed(0x0D, label);
    }

    /** {@code br_table}; the last label is the default. */
    public WasmCode brTable(int... labels) {
        out.u8(0x0E).u32(labels.length - 1);
        for (int label : labels) {
            out.u32(label);
        }
        return this;
    }

    /** {@code block} without values. */
    public WasmCode block() {
        return op(0x02, 0x40);
    }

    /** {@code loop} without values. */
    public WasmCode loop() {
        return op(0x03, 0x40);
    }

    /** {@code if} without values. */
    public WasmCode iff() {
        return op(0x04, 0x40);
    }

    /**
     * {@code block} (2), {@code loop} (3) or {@code if} (4) of a type: a letter of {@code iIfF}.
     */
    public WasmCode open(int opcode, char result) {
        return op(opcode, WasmBuilder.code(result));
    }

    /** {@code block}, {@code loop} or {@code if} by the index of a type. */
    public WasmCode openType(int opcode, int type) {
        out.u8(opcode).s64(type);
        return this;
    }

    /** {@code else}. */
    public WasmCode otherwise() {
        return op(0x05);
    }

    /** {@code end}. */
    public WasmCode end() {
        return op(0x0B);
    }

    /** A load or store, aligned by 1. */
    public WasmCode access(int opcode, int offset) {
        out.u8(opcode, 0).u32(offset);
        return this;
    }

    /** An instruction after the prefix 0xFC, with its indices. */
    public WasmCode prefixed(int number, int... indices) {
        out.u8(0xFC).u32(number);
        for (int index : indices) {
            out.u32(index);
        }
        return this;
    }

    ByteWriter written() {
        return out;
    }
}
