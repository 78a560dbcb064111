package palyra.testing.wasm;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import palyra.shared.wasm.ByteWriter;

/**
 * Makes small modules for tests. It checks nothing: what it makes may be wrong on purpose. Types
 * are written as letters, {@code i} i32, {@code I} i64, {@code f} f32, {@code F} f64, parameters
 * and results with a colon between them: {@code iI:i}. Imports come before functions. Not
 * thread-safe.
 */
public final class WasmBuilder {
    private final List<String> types = new ArrayList<>();
    private final List<byte[]> imports = new ArrayList<>();
    private final List<Integer> functions = new ArrayList<>();
    private final List<byte[]> bodies = new ArrayList<>();
    private final List<byte[]> tables = new ArrayList<>();
    private final List<byte[]> memories = new ArrayList<>();
    private final List<byte[]> globals = new ArrayList<>();
    private final List<byte[]> exports = new ArrayList<>();
    private final List<byte[]> elements = new ArrayList<>();
    private final List<byte[]> data = new ArrayList<>();
    private final List<byte[]> customs = new ArrayList<>();
    private boolean counted;
    private int imported;
    private int start = -1;

    /** Returns the byte of a type's letter. */
    static int code(char letter) {
        return switch (letter) {
            case 'i' -> 0x7F;
            case 'I' -> 0x7E;
            case 'f' -> 0x7D;
            case 'F' -> 0x7C;
            case 'v' -> 0x7B; // v128, to be refused
            case 'r' -> 0x6F; // externref, to be refused
            default -> throw new IllegalArgumentException("no type: " + letter);
        };
    }

    /** Adds a type unless it is there; returns its index. */
    public int type(String signature) {
        if (!types.contains(signature)) {
            types.add(signature);
        }
        return types.indexOf(signature);
    }

    /** Imports a function; returns its index. */
    public int imported(String module, String name, String signature) {
        imports.add(
                new ByteWriter(16).name(module).name(name).u8(0).u32(type(signature)).toBytes());
        return imported++;
    }

    /** Imports something else, as bytes after the name. */
    public WasmBuilder importedRaw(String module, String name, int... description) {
        imports.add(new ByteWriter(16).name(module).name(name).u8(description).toBytes());
        return this;
    }

    /** Adds a function with locals by their letters; the code's last {@code end} is added. */
    public int function(String signature, String locals, WasmCode code) {
        ByteWriter body = new ByteWriter(64).u32(locals.length());
        for (char letter : locals.toCharArray()) {
            body.u32(1).u8(code(letter));
        }
        return raw(signature, body.all(code.written()).u8(0x0B).toBytes());
    }

    /** Adds a function with its body as bytes, locals first. */
    public int raw(String signature, byte[] body) {
        functions.add(type(signature));
        bodies.add(new ByteWriter(64).u32(body.length).raw(body, 0, body.length).toBytes());
        return imported + functions.size() - 1;
    }

    /** Adds a memory; a maximum of -1 is absent. */
    public WasmBuilder memory(int least, int most) {
        memories.add(limits(new ByteWriter(8), least, most));
        return this;
    }

    /** Adds a table of functions; a maximum of -1 is absent. */
    public WasmBuilder table(int least, int most) {
        tables.add(limits(new ByteWriter(8).u8(0x70), least, most));
        return this;
    }

    private static byte[] limits(ByteWriter out, int least, int most) {
        out.u8(most == -1 ? 0 : 1).u32(least);
        return (most == -1 ? out : out.u32(most)).toBytes();
    }

    /** Adds a global with its initial value as code; returns its index. */
    public int global(char type, boolean mutable, WasmCode value) {
        ByteWriter out = new ByteWriter(16).u8(code(type), mutable ? 1 : 0);
        globals.add(out.all(value.written()).u8(0x0B).toBytes());
        return globals.size() - 1;
    }

    /** Exports a function (0), table (1), memory (2) or global (3). */
    public WasmBuilder export(String name, int kind, int index) {
        exports.add(new ByteWriter(16).name(name).u8(kind).u32(index).toBytes());
        return this;
    }

    /** Sets the start function. */
    public WasmBuilder start(int function) {
        start = function;
        return this;
    }

    /** Adds functions to the table from an entry on. */
    public WasmBuilder elements(int from, int... members) {
        ByteWriter out = new ByteWriter(16).u8(0, 0x41).s64(from).u8(0x0B);
        elements.add(members(out, members));
        return this;
    }

    /** Adds a passive segment of functions. */
    public WasmBuilder passiveElements(int... members) {
        elements.add(members(new ByteWriter(16).u8(1, 0), members));
        return this;
    }

    private static byte[] members(ByteWriter out, int... members) {
        out.u32(members.length);
        for (int member : members) {
            out.u32(member);
        }
        return out.toBytes();
    }

    /** Adds a segment of elements as bytes. */
    public WasmBuilder rawElements(int... bytes) {
        elements.add(new ByteWriter(16).u8(bytes).toBytes());
        return this;
    }

    /** Adds data at an address. */
    public WasmBuilder data(int address, String text) {
        return data(new ByteWriter(16).u8(0, 0x41).s64(address).u8(0x0B), text);
    }

    /** Adds passive data, and announces how many segments there are. */
    public WasmBuilder passiveData(String text) {
        counted = true;
        return data(new ByteWriter(16).u8(1), text);
    }

    private WasmBuilder data(ByteWriter out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        data.add(out.u32(bytes.length).raw(bytes, 0, bytes.length).toBytes());
        return this;
    }

    /** Adds a custom section at the end. */
    public WasmBuilder custom(String name, byte[] content) {
        customs.add(new ByteWriter(16).name(name).raw(content, 0, content.length).toBytes());
        return this;
    }

    /** Returns the module. */
    public byte[] build() {
        ByteWriter out = new ByteWriter(1024).u8(0, 'a', 's', 'm', 1, 0, 0, 0);
        section(out, 1, types.stream().map(WasmBuilder::signature).toList());
        section(out, 2, imports);
        section(
                out,
                3,
                functions.stream().map(one -> new ByteWriter(4).u32(one).toBytes()).toList());
        section(out, 4, tables);
        section(out, 5, memories);
        section(out, 6, globals);
        section(out, 7, exports);
        if (start >= 0) {
            out.section(8, new ByteWriter(4).u32(start));
        }
        section(out, 9, elements);
        if (counted) {
            out.section(12, new ByteWriter(4).u32(data.size()));
        }
        section(out, 10, bodies);
        section(out, 11, data);
        for (byte[] custom : customs) {
            out.section(0, new ByteWriter(16).raw(custom, 0, custom.length));
        }
        return out.toBytes();
    }

    private static byte[] signature(String signature) {
        int colon = signature.indexOf(':');
        ByteWriter out = new ByteWriter(16).u8(0x60);
        values(out, signature.substring(0, colon));
        values(out, signature.substring(colon + 1));
        return out.toBytes();
    }

    private static void values(ByteWriter out, String letters) {
        out.u32(letters.length());
        letters.chars().forEach(letter -> out.u8(code((char) letter)));
    }

    private static void section(ByteWriter out, int id, List<byte[]> entries) {
        ByteWriter body = new ByteWriter(256);
        if (!entries.isEmpty()) {
            body.u32(entries.size());
        }
        entries.forEach(entry -> body.raw(entry, 0, entry.length));
        out.section(id, body);
    }
}
