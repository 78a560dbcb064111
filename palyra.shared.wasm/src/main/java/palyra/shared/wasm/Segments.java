package palyra.shared.wasm;

import palyra.shared.wasm.BinaryModule.Constant;
import palyra.shared.wasm.BinaryModule.Data;
import palyra.shared.wasm.BinaryModule.Elements;
import palyra.shared.wasm.BinaryModule.Mode;

/** Decodes element and data segments (core specification, sections 5.5.12 and 5.5.14). */
final class Segments {
    private final BinaryModule module;
    private final AdmissionLimits limits;
    private final ByteReader in;
    private int entries;
    private int bytes;

    Segments(BinaryModule module, AdmissionLimits limits, ByteReader in) {
        this.module = module;
        this.limits = limits;
        this.in = in;
    }

    void elements(int count) {
        for (int i = 0; i < count; i++) {
            module.elements.add(segment());
        }
    }

    void data(int count) {
        for (int i = 0; i < count; i++) {
            module.data.add(dataSegment());
        }
    }

    /** Bits of the flags: passive or declared, table index or declared, expressions. */
    private Elements segment() {
        int flags = in.index("flags of a segment");
        if (flags > 7) {
            throw in.malformed("no flags of an element segment: " + flags);
        }
        boolean active = (flags & 1) == 0;
        boolean second = (flags & 2) != 0;
        boolean expressions = (flags & 4) != 0;
        int table = active && second ? in.index("a table") : 0;
        Constant offset = active ? Types.constant(in) : null;
        if (!active || second) {
            kind(expressions);
        }
        Mode mode = active ? Mode.ACTIVE : second ? Mode.DECLARED : Mode.PASSIVE;
        return new Elements(mode, table, offset, functions(expressions));
    }

    private void kind(boolean expressions) {
        if (expressions) {
            Types.reference(in);
        } else if (in.u8() != 0) {
            throw in.malformed("no kind of elements");
        }
    }

    private int[] functions(boolean expressions) {
        int count = in.index("the number of elements");
        entries += Math.min(count, limits.tableEntries() + 1);
        if (count > limits.tableEntries() || entries > limits.tableEntries()) {
            throw Decoder.tooMany(
                    "elements", "elements in segments", entries, limits.tableEntries());
        }
        if (count > in.left()) {
            throw in.malformed(count + " elements do not fit into their section");
        }
        int[] functions = new int[count];
        for (int i = 0; i < count; i++) {
            functions[i] = expressions ? expression() : in.index("a function");
        }
        return functions;
    }

    private int expression() {
        Constant value = Types.constant(in);
        return switch (value.opcode()) {
            case Op.REF_FUNC -> value.index();
            case Op.REF_NULL -> BinaryModule.NONE;
            default ->
                    throw new ModuleException(
                            Reason.INVALID,
                            "the element at offset " + value.start() + " is not a function");
        };
    }

    private Data dataSegment() {
        int flags = in.index("flags of a segment");
        if (flags > 2) {
            throw in.malformed("no flags of a data segment: " + flags);
        }
        int memory = flags == 2 ? in.index("a memory") : 0;
        Constant offset = flags == 1 ? null : Types.constant(in);
        int size = in.index("the size of a segment");
        int start = in.at();
        in.skip(size);
        bytes += size;
        if (bytes > limits.dataBytes()) {
            throw Decoder.tooMany("data", "bytes of data", bytes, limits.dataBytes());
        }
        return new Data(
                flags == 1 ? Mode.PASSIVE : Mode.ACTIVE, memory, offset, start, start + size);
    }
}
