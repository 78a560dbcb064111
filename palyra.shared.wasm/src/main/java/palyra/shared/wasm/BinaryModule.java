package palyra.shared.wasm;

import java.util.ArrayList;
import java.util.List;

/**
 * A module as decoded: its sections with offsets into its bytes, indices not checked yet. Filled by
 * {@link Decoder}, read-only afterwards.
 */
final class BinaryModule {
    /** Absent maximum, start function or data count. */
    static final int NONE = -1;

    final byte[] bytes;
    final List<Signature> types = new ArrayList<>();
    final List<Import> imports = new ArrayList<>();
    final IntList functions = new IntList(); // type of each function, imported ones first
    final List<Limits> tables = new ArrayList<>();
    final List<Limits> memories = new ArrayList<>();
    final List<Global> globals = new ArrayList<>();
    final List<Export> exports = new ArrayList<>();
    final List<Elements> elements = new ArrayList<>();
    final List<Body> bodies = new ArrayList<>();
    final List<Data> data = new ArrayList<>();
    final List<String> customs = new ArrayList<>();
    int importedFunctions;
    int importedGlobals;
    int start = NONE;
    int dataCount = NONE;

    BinaryModule(byte[] bytes) {
        this.bytes = bytes;
    }

    Signature functionType(int function) {
        return types.get(functions.get(function));
    }

    int dataBytes() {
        return data.stream().mapToInt(segment -> segment.end - segment.start).sum();
    }

    int elementEntries() {
        return elements.stream().mapToInt(segment -> segment.functions.length).sum();
    }

    /** Kinds of imports and exports, as numbers of the format. */
    enum Kind {
        FUNCTION,
        TABLE,
        MEMORY,
        GLOBAL
    }

    /** An import; {@code type} is text for people and a type's index for functions. */
    record Import(String module, String name, Kind kind, int index, String type) {}

    /** An export. */
    record Export(String name, Kind kind, int index) {}

    /** Limits of a memory or table, unsigned; a maximum of {@link #NONE} is absent. */
    record Limits(long least, long most) {
        @Override
        public String toString() {
            return least + (most == NONE ? ".." : ".." + most);
        }
    }

    /** A constant expression: one instruction, with its operand when that is an index. */
    record Constant(int opcode, int index, int start, int end) {}

    /** A global; imported ones have no initial value. */
    record Global(int type, boolean mutable, Constant value) {
        @Override
        public String toString() {
            return (mutable ? "mut " : "") + ValueType.of(type);
        }
    }

    /** Mode of a segment. */
    enum Mode {
        ACTIVE,
        PASSIVE,
        DECLARED
    }

    /** An element segment: functions by index, {@link #NONE} for null. */
    @SuppressWarnings("ArrayRecordComponent") // read only in this package, never changed
    record Elements(Mode mode, int table, Constant offset, int[] functions) {}

    /** A data segment: where its bytes are in the module. */
    record Data(Mode mode, int memory, Constant offset, int start, int end) {}

    /** A body of a function: where its locals and code are in the module. */
    record Body(int start, int end) {}
}
