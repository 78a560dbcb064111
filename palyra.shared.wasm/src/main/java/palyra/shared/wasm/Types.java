package palyra.shared.wasm;

import palyra.shared.wasm.BinaryModule.Constant;
import palyra.shared.wasm.BinaryModule.Limits;

/** Reads types and constant expressions (core specification, sections 5.3 and 5.4.9). */
final class Types {
    private static final int FUNCREF = 0x70;

    private Types() {}

    /** Reads a type of a number. */
    static int value(ByteReader in) {
        int offset = in.at();
        int code = in.u8();
        if (code >= 0x7C && code <= 0x7F) {
            return code;
        }
        throw switch (code) {
            case 0x7B -> Feature.SIMD.refused(offset, "type v128");
            case FUNCREF, 0x6F -> Feature.REFERENCE_TYPES.refused(offset, "a reference");
            case 0x63, 0x64, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x71, 0x72, 0x73 ->
                    Feature.GC.refused(offset, "a type of an object");
            case 0x69, 0x74 -> Feature.EXCEPTIONS.refused(offset, "a type of an exception");
            default -> in.malformed("no value type: " + code);
        };
    }

    /** Reads the type of a table's entries. */
    static void reference(ByteReader in) {
        int offset = in.at();
        int code = in.u8();
        if (code == FUNCREF) {
            return;
        }
        throw code == 0x6F
                ? Feature.REFERENCE_TYPES.refused(offset, "a table of externref")
                : code == 0x40 || (code >= 0x63 && code <= 0x74)
                        ? Feature.GC.refused(offset, "a table of objects")
                        : in.malformed("no reference type: " + code);
    }

    /** Reads limits of a memory or table. */
    static Limits limits(ByteReader in, String of) {
        int offset = in.at();
        int flags = in.u8();
        if (flags > 7) {
            throw in.malformed("no limits: " + flags);
        }
        if ((flags & 4) != 0) {
            throw Feature.MEMORY64.refused(offset, "a " + of + " with 64-bit addresses");
        }
        if ((flags & 2) != 0) {
            throw Feature.THREADS.refused(offset, "a shared " + of);
        }
        long least = Integer.toUnsignedLong(in.u32());
        long most = flags == 0 ? BinaryModule.NONE : Integer.toUnsignedLong(in.u32());
        return new Limits(least, most);
    }

    /** Reads whether a global can change. */
    static boolean mutable(ByteReader in) {
        int flag = in.u8();
        if (flag > 1) {
            throw in.malformed("no mutability: " + flag);
        }
        return flag == 1;
    }

    /** Reads a constant expression of one instruction. */
    static Constant constant(ByteReader in) {
        int start = in.at();
        int opcode = in.u8();
        int index = BinaryModule.NONE;
        switch (opcode) {
            case Op.I32_CONST -> in.signed(32);
            case Op.I64_CONST -> in.signed(64);
            case Op.F32_CONST -> in.skip(4);
            case Op.F64_CONST -> in.skip(8);
            case Op.GLOBAL_GET, Op.REF_FUNC -> index = in.index("an index");
            case Op.REF_NULL -> reference(in);
            case Op.SIMD -> throw Feature.SIMD.refused(start, "a constant of v128");
            case Op.GC -> throw Feature.GC.refused(start, "a constant of an object");
            default ->
                    throw new ModuleException(
                            Reason.INVALID,
                            "instruction " + opcode + " at offset " + start + " is not constant");
        }
        int offset = in.at();
        int end = in.u8();
        if (end != Op.END) {
            throw opcode == Op.END
                    ? in.malformed("a constant expression is empty")
                    : Feature.EXTENDED_CONSTANTS.refused(offset, "a longer constant expression");
        }
        return new Constant(opcode, index, start, in.at());
    }
}
