package palyra.shared.wasm;

import java.util.Arrays;

/** Types of a function's parameters and locals. Not thread-safe; used for one after another. */
final class Locals {
    private final AdmissionLimits limits;
    private byte[] types = new byte[64];
    private int count;

    Locals(AdmissionLimits limits) {
        this.limits = limits;
    }

    /** Reads the locals at the beginning of a body. */
    void read(ByteReader in, Signature type) {
        count = 0;
        add(type.parameters().length, (byte) 0);
        System.arraycopy(type.parameters(), 0, types, 0, count);
        for (int groups = in.index("the number of groups of locals"); groups > 0; groups--) {
            int more = in.u32();
            add(Integer.toUnsignedLong(more), (byte) Types.value(in));
        }
    }

    private void add(long more, byte type) {
        if (more > limits.locals() - count) {
            throw Decoder.tooMany(
                    "locals", "locals in one function", count + more, limits.locals());
        }
        int sum = count + (int) more;
        if (sum > types.length) {
            types = Arrays.copyOf(types, Math.max(sum, types.length * 2));
        }
        Arrays.fill(types, count, sum, type);
        count = sum;
    }

    int count() {
        return count;
    }

    /** Returns the room that they take: two slots for 64 bits. */
    int slots() {
        int slots = count;
        for (int i = 0; i < count; i++) {
            slots += types[i] == Numeric.I64 || types[i] == Numeric.F64 ? 1 : 0;
        }
        return slots;
    }

    byte type(int index) {
        if (index < 0 || index >= count) {
            throw new OperandStack.Mismatch("there is no local " + Integer.toUnsignedLong(index));
        }
        return types[index];
    }
}
