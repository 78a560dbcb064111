package palyra.shared.wasm;

import java.util.Set;

/**
 * Reduces a module to what an engine needs beside the compiled code: every section but the custom
 * ones, with the bodies of compiled functions replaced by {@code unreachable}, which is of every
 * type. Decoding it costs in proportion to the declarations, not to the code. Stateless.
 */
public final class ModuleShell {
    private static final int HEADER = 8;
    private static final int CUSTOM = 0;
    private static final int IMPORTS = 2;
    private static final int CODE = 10;

    private ModuleShell() {}

    /**
     * Returns the shell of an admitted module.
     *
     * @param module the binary, valid; imports are functions only
     * @param kept indices of functions whose bodies stay, imported functions counted first
     */
    public static byte[] of(byte[] module, Set<Integer> kept) {
        ByteReader in = new ByteReader(module, HEADER, module.length);
        ByteWriter out = new ByteWriter(module.length / 4).raw(module, 0, HEADER);
        int imported = 0;
        while (in.more()) {
            int id = in.u8();
            int length = in.index("the length of a section");
            int start = in.at();
            in.skip(length);
            if (id == IMPORTS) {
                imported = new ByteReader(module, start, in.at()).index("the number of imports");
            }
            if (id == CODE) {
                out.u8(id).sized(code(module, start, in.at(), imported, kept));
            } else if (id != CUSTOM) {
                out.u8(id).u32(length).raw(module, start, in.at());
            }
        }
        return out.toBytes();
    }

    private static ByteWriter code(
            byte[] module, int start, int end, int imported, Set<Integer> kept) {
        ByteReader in = new ByteReader(module, start, end);
        int count = in.index("the number of bodies");
        ByteWriter out = new ByteWriter(4 * count).u32(count);
        for (int i = 0; i < count; i++) {
            int length = in.index("the length of a body");
            int body = in.at();
            in.skip(length);
            if (kept.contains(imported + i)) {
                out.u32(length).raw(module, body, in.at());
            } else {
                out.u8(3, 0, Op.UNREACHABLE, Op.END);
            }
        }
        return out;
    }

    /** Returns the bytes of the bodies of some functions of an admitted module together. */
    public static long bytesOf(byte[] module, Set<Integer> functions) {
        return of(module, functions).length - (long) of(module, Set.of()).length;
    }
}
