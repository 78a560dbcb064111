package palyra.skills.internal;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes small modules: imports by type, a memory, exported functions that return 0. */
public final class TinyWasm {
    private static final int I32 = 0x7f;
    private final List<String[]> imports = new ArrayList<>();
    private final List<Integer> parameters = new ArrayList<>();
    private final List<Boolean> results = new ArrayList<>();
    private final List<String> exports = new ArrayList<>();
    private String data = "";

    /** Imports a function of so many i32 that returns an i32 or nothing. */
    public TinyWasm imports(String module, String name, int i32s, boolean result) {
        imports.add(new String[] {module, name});
        parameters.add(i32s);
        results.add(result);
        return this;
    }

    /** Exports a function {@code () -> (i32)}. */
    public TinyWasm exports(String name) {
        exports.add(name);
        return this;
    }

    /** Puts text into the memory. */
    public TinyWasm data(String text) {
        data = text;
        return this;
    }

    /** Returns the module. */
    public byte[] bytes() {
        ByteArrayOutputStream types = new ByteArrayOutputStream();
        leb(types, imports.size() + 1);
        for (int i = 0; i < imports.size(); i++) {
            types.write(0x60);
            leb(types, parameters.get(i));
            for (int j = 0; j < parameters.get(i); j++) {
                types.write(I32);
            }
            leb(types, results.get(i) ? 1 : 0);
            if (results.get(i)) {
                types.write(I32);
            }
        }
        types.writeBytes(new byte[] {0x60, 0, 1, I32});
        ByteArrayOutputStream imported = new ByteArrayOutputStream();
        leb(imported, imports.size());
        for (int i = 0; i < imports.size(); i++) {
            name(imported, imports.get(i)[0]);
            name(imported, imports.get(i)[1]);
            imported.write(0);
            leb(imported, i);
        }
        ByteArrayOutputStream functions = new ByteArrayOutputStream();
        ByteArrayOutputStream exported = new ByteArrayOutputStream();
        ByteArrayOutputStream code = new ByteArrayOutputStream();
        leb(functions, exports.size());
        leb(exported, exports.size() + 1);
        name(exported, "memory");
        exported.write(2);
        leb(exported, 0);
        leb(code, exports.size());
        for (int i = 0; i < exports.size(); i++) {
            leb(functions, imports.size());
            name(exported, exports.get(i));
            exported.write(0);
            leb(exported, imports.size() + i);
            code.writeBytes(new byte[] {4, 0, 0x41, 0, 0x0b});
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {0, 'a', 's', 'm', 1, 0, 0, 0});
        section(out, 1, types);
        section(out, 2, imported);
        section(out, 3, functions);
        ByteArrayOutputStream memory = new ByteArrayOutputStream();
        memory.writeBytes(new byte[] {1, 1, 1, 1});
        section(out, 5, memory);
        section(out, 7, exported);
        section(out, 10, code);
        if (!data.isEmpty()) {
            ByteArrayOutputStream segment = new ByteArrayOutputStream();
            segment.writeBytes(new byte[] {1, 0, 0x41, 0, 0x0b});
            name(segment, data);
            section(out, 11, segment);
        }
        return out.toByteArray();
    }

    private static void section(ByteArrayOutputStream out, int id, ByteArrayOutputStream body) {
        out.write(id);
        leb(out, body.size());
        out.writeBytes(body.toByteArray());
    }

    private static void name(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        leb(out, bytes.length);
        out.writeBytes(bytes);
    }

    private static void leb(ByteArrayOutputStream out, int value) {
        int rest = value;
        do {
            out.write((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
            rest >>>= 7;
        } while (rest != 0);
    }
}
