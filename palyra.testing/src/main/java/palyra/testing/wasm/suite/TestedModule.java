package palyra.testing.wasm.suite;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import palyra.shared.wasm.ByteWriter;

/**
 * The sections of a module that has been found valid, to which functions, globals and exports can
 * be added. What is added comes behind what was there, so no index changes. Not thread-safe.
 */
final class TestedModule {
    private static final int FUNCTION = 0;
    private static final int GLOBAL = 3;

    /** Order of the known sections in a module, custom ones left out. */
    private static final int[] ORDER = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11};

    /** Parameters and results of a function as bytes of the binary format. */
    record Type(List<Integer> parameters, List<Integer> results) {}

    /** An exported function or global. */
    record Export(int kind, int index) {
        boolean function() {
            return kind == FUNCTION;
        }

        boolean global() {
            return kind == GLOBAL;
        }
    }

    private final byte[] bytes;
    private final Map<Integer, ByteWriter> bodies = new HashMap<>();
    private final Map<Integer, Integer> counts = new HashMap<>();
    private final List<Type> types = new ArrayList<>();
    private final List<Integer> functions = new ArrayList<>();
    private final List<Integer> globals = new ArrayList<>();
    private final Map<String, Export> exports = new HashMap<>();
    private int at = 8;

    TestedModule(byte[] bytes) {
        this.bytes = bytes;
        while (at < bytes.length) {
            int id = bytes[at++];
            int size = u32();
            int end = at + size;
            if (id != 0) {
                section(id, end);
            }
            at = end;
        }
    }

    private void section(int id, int end) {
        if (id == 8 || id == 12) { // a start function and a count are no lists
            bodies.put(id, new ByteWriter(8).raw(bytes, at, end));
            return;
        }
        int count = u32();
        counts.put(id, count);
        bodies.put(id, new ByteWriter(end - at + 64).raw(bytes, at, end));
        for (int i = 0; i < count && (id <= 3 || id == 6 || id == 7); i++) {
            switch (id) {
                case 1 -> type();
                case 2 -> imported();
                case 3 -> functions.add(u32());
                case 6 -> global();
                default -> exports.put(name(), new Export(bytes[at++], u32()));
            }
        }
    }

    private void type() {
        at++;
        types.add(new Type(values(), values()));
    }

    private List<Integer> values() {
        List<Integer> values = new ArrayList<>();
        for (int left = u32(); left > 0; left--) {
            values.add(bytes[at++] & 0xFF);
        }
        return values;
    }

    private void imported() {
        name();
        name();
        if (bytes[at++] != FUNCTION) {
            throw new IllegalStateException("admission lets only functions be imported");
        }
        functions.add(u32());
    }

    /** Reads a global, whose value is one constant in every module that was admitted. */
    private void global() {
        globals.add(bytes[at++] & 0xFF);
        at++;
        switch (bytes[at++] & 0xFF) {
            case 0x43 -> at += 4;
            case 0x44 -> at += 8;
            default -> leb();
        }
        at++;
    }

    private String name() {
        int length = u32();
        at += length;
        return new String(bytes, at - length, length, StandardCharsets.UTF_8);
    }

    private int u32() {
        long value = 0;
        int shift = 0;
        int next;
        do {
            next = bytes[at++];
            value |= (long) (next & 0x7F) << shift;
            shift += 7;
        } while (next < 0);
        return (int) value;
    }

    private void leb() {
        while (bytes[at++] < 0) {
            // up to the last byte of the number
        }
    }

    /** Returns what is exported by a name; null when nothing is. */
    Export export(String name) {
        return exports.get(name);
    }

    Type typeOf(Export function) {
        return types.get(functions.get(function.index()));
    }

    /** Returns the byte of a global's type. */
    int typeOfGlobal(Export global) {
        return globals.get(global.index());
    }

    private int add(int id, byte[] entry) {
        bodies.computeIfAbsent(id, none -> new ByteWriter(64)).raw(entry, 0, entry.length);
        return counts.merge(id, 1, Integer::sum) - 1;
    }

    /** Adds a mutable i64 that begins as 0; returns its index. */
    int addCounter() {
        globals.add(0x7E);
        return add(6, new byte[] {0x7E, 1, 0x42, 0, 0x0B});
    }

    /** Adds the types {@code () -> ()} and {@code () -> i64}; returns the first one's index. */
    int addTypes() {
        int first = add(1, new byte[] {0x60, 0, 0});
        add(1, new byte[] {0x60, 0, 1, 0x7E});
        return first;
    }

    /** Adds a function, its locals first in its body; returns its index. */
    int addFunction(int type, ByteWriter body) {
        functions.add(type);
        add(3, new ByteWriter(4).u32(type).toBytes());
        add(10, new ByteWriter(64).u32(body.length()).all(body).toBytes());
        return functions.size() - 1;
    }

    void addExport(String name, int function) {
        add(7, new ByteWriter(32).name(name).u8(FUNCTION).u32(function).toBytes());
    }

    /** Returns the module with all that was added, without its custom sections. */
    byte[] build() {
        ByteWriter out = new ByteWriter(bytes.length + 4096).raw(bytes, 0, 8);
        for (int id : ORDER) {
            ByteWriter body = bodies.get(id);
            if (body != null) {
                Integer count = counts.get(id);
                ByteWriter all = new ByteWriter(body.length() + 8);
                out.section(id, (count == null ? all : all.u32(count)).all(body));
            }
        }
        return out.toBytes();
    }
}
