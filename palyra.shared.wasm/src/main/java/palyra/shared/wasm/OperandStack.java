package palyra.shared.wasm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The stack of types and the stack of blocks of the validation algorithm in the appendix of the
 * core specification. Not thread-safe; used for one function after another.
 */
final class OperandStack {
    private static final byte UNKNOWN = 0;

    private final List<Frame> frames = new ArrayList<>();
    private final byte[] popped = new byte[1 << 16];
    private byte[] values = new byte[64];
    private int size;
    private int highest;
    private int deepest;

    /** A block that is open. */
    private static final class Frame {
        final int opcode;
        final Signature type;
        final int height;
        boolean unreachable;

        Frame(int opcode, Signature type, int height) {
            this.opcode = opcode;
            this.type = type;
            this.height = height;
        }

        byte[] label() {
            return opcode == Op.LOOP ? type.parameters() : type.results();
        }
    }

    /** A type mismatch; the caller adds the place. */
    static final class Mismatch extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Mismatch(String message) {
            super(message, null, false, false);
        }
    }

    void clear() {
        frames.clear();
        size = 0;
        highest = 0;
        deepest = 0;
    }

    /** Most values that were on the stack. */
    int highest() {
        return highest;
    }

    /** Most blocks that were open, the function's own not counted. */
    int deepest() {
        return deepest - 1;
    }

    /** Returns whether the function's own block was closed. */
    boolean done() {
        return frames.isEmpty();
    }

    int nesting() {
        return frames.size();
    }

    void push(byte type) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = type;
        highest = Math.max(highest, size);
    }

    void push(byte[] types) {
        for (byte type : types) {
            push(type);
        }
    }

    byte pop() {
        Frame frame = frames.getLast();
        if (size == frame.height) {
            if (frame.unreachable) {
                return UNKNOWN;
            }
            throw new Mismatch("there is no value for it in its block");
        }
        return values[--size];
    }

    void pop(byte expected) {
        byte actual = pop();
        if (actual != expected && actual != UNKNOWN) {
            throw new Mismatch(
                    "it needs " + ValueType.of(expected) + " and finds " + ValueType.of(actual));
        }
    }

    void pop(byte[] types) {
        for (int i = types.length - 1; i >= 0; i--) {
            pop(types[i]);
        }
    }

    /**
     * Checks the values that {@code br_if} takes along and may leave. What follows finds the types
     * of its label, of values that code that cannot be reached did not push, too.
     */
    void branch(byte[] types) {
        pop(types);
        push(types);
    }

    /**
     * Checks the values that {@code br_table} takes along to one of its labels. The next label
     * finds them as they were: unknown ones fit another type there.
     */
    void check(byte[] types) {
        for (int i = types.length - 1; i >= 0; i--) {
            byte value = pop();
            popped[i] = value;
            if (value != types[i] && value != UNKNOWN) {
                throw new Mismatch("the branch needs " + ValueType.of(types[i]));
            }
        }
        for (int i = 0; i < types.length; i++) {
            push(popped[i]);
        }
    }

    /** Pops two values of the same type and pushes one. */
    void select() {
        byte first = pop();
        byte second = pop();
        if (first != second && first != UNKNOWN && second != UNKNOWN) {
            throw new Mismatch("select needs two values of one type");
        }
        push(first == UNKNOWN ? second : first);
    }

    /** Opens a block whose parameters were popped. */
    void open(int opcode, Signature type) {
        frames.add(new Frame(opcode, type, size));
        deepest = Math.max(deepest, frames.size());
        push(type.parameters());
    }

    /** Turns an {@code if} into its {@code else}. */
    void turn() {
        Frame frame = close();
        if (frame.opcode != Op.IF) {
            throw new Mismatch("there is no if for it");
        }
        open(Op.ELSE, frame.type);
    }

    /** Closes a block and pushes its results. */
    void end() {
        Frame frame = close();
        if (frame.opcode == Op.IF
                && !Arrays.equals(frame.type.parameters(), frame.type.results())) {
            throw new Mismatch("an if without else leaves what it takes");
        }
        push(frame.type.results());
    }

    private Frame close() {
        Frame frame = frames.getLast();
        pop(frame.type.results());
        if (size != frame.height) {
            throw new Mismatch("the block leaves more values than its type says");
        }
        return frames.removeLast();
    }

    /** Marks the following code as unreachable. */
    void unreachable() {
        Frame frame = frames.getLast();
        size = frame.height;
        frame.unreachable = true;
    }

    /** Returns the types that a branch takes along. */
    byte[] label(int depth) {
        if (depth < 0 || depth >= frames.size()) {
            throw new Mismatch("there is no label " + Integer.toUnsignedLong(depth));
        }
        return frames.get(frames.size() - 1 - depth).label();
    }
}
