package palyra.shared.wasm;

import palyra.shared.wasm.BinaryModule.Body;
import palyra.shared.wasm.BinaryModule.Export;
import palyra.shared.wasm.BinaryModule.Global;
import palyra.shared.wasm.BinaryModule.Import;
import palyra.shared.wasm.BinaryModule.Kind;

/**
 * Decodes the sections of a module (core specification, section 5.5), strictly. Counts are checked
 * against the limits and against the bytes that are left before anything is made of them, so that
 * time and memory follow the size of the module and not what it says.
 */
final class Decoder {
    private static final int CUSTOM = 0;
    private static final int[] ORDER = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 10};
    private static final int TAGS = 13;
    private static final int COMPONENT = 1;

    private final BinaryModule module;
    private final AdmissionLimits limits;
    private ByteReader in;

    private Decoder(byte[] bytes, AdmissionLimits limits) {
        this.module = new BinaryModule(bytes);
        this.limits = limits;
        this.in = new ByteReader(bytes, 0, bytes.length);
    }

    /**
     * Decodes a module.
     *
     * @throws ModuleException when it is malformed, or has more of something than the limits allow
     */
    static BinaryModule decode(byte[] bytes, AdmissionLimits limits) {
        if (bytes.length > limits.moduleBytes()) {
            throw tooMany("module", "bytes", bytes.length, limits.moduleBytes());
        }
        Decoder decoder = new Decoder(bytes, limits);
        decoder.header();
        decoder.sections();
        return decoder.module;
    }

    /** Four bytes of magic, two of the version, two of the layer: 0 a module, 1 a component. */
    private void header() {
        int[] magic = {0, 'a', 's', 'm'};
        for (int expected : magic) {
            if (in.u8() != expected) {
                throw in.malformed("a module begins with 00 61 73 6d");
            }
        }
        int version = in.u8() | in.u8() << 8;
        int layer = in.u8() | in.u8() << 8;
        if (layer == COMPONENT) {
            throw new ModuleException(
                    Reason.FEATURE + "components",
                    "the file is a component (version "
                            + version
                            + " of layer 1 of the binary format) and no module; build a core module,"
                            + " such as for the target wasm32-unknown-unknown or wasm32-wasip1, or"
                            + " take the one within it: wasm-tools component unbundle");
        }
        if (version != 1 || layer != 0) {
            throw in.malformed(
                    "version "
                            + version
                            + " of layer "
                            + layer
                            + " of the binary format is unknown; modules are version 1 of layer 0");
        }
    }

    private void sections() {
        ByteReader whole = in;
        int before = 0;
        while (whole.more()) {
            int id = whole.u8();
            int size = whole.index("the size of a section");
            int start = whole.at();
            whole.skip(size);
            if (id == TAGS) {
                throw Feature.EXCEPTIONS.refused(start, "a section of tags");
            }
            if (id > TAGS || (id != CUSTOM && ORDER[id] <= before)) {
                throw whole.malformed("section " + id + " is unknown, repeated or out of order");
            }
            before = id == CUSTOM ? before : ORDER[id];
            in = new ByteReader(module.bytes, start, start + size);
            section(id);
            if (in.more()) {
                throw in.malformed("section " + id + " is longer than what it holds");
            }
        }
        if (module.bodies.size() != module.functions.size() - module.importedFunctions) {
            throw whole.malformed("the numbers of functions and of bodies differ");
        }
        if (module.dataCount != BinaryModule.NONE && module.dataCount != module.data.size()) {
            throw whole.malformed("the number of data segments is not what was announced");
        }
    }

    private void section(int id) {
        switch (id) {
            case CUSTOM -> custom();
            case 1 -> repeat("types", limits.types(), this::type);
            case 2 -> repeat("imports", limits.imports(), this::imported);
            case 3 -> repeat("functions", limits.functions(), this::function);
            case 4 -> repeat("tables", limits.segments(), this::table);
            case 5 -> repeat("memories", limits.segments(), this::memory);
            case 6 -> repeat("globals", limits.globals(), this::global);
            case 7 -> repeat("exports", limits.exports(), this::export);
            case 8 -> module.start = in.index("a function");
            case 9 ->
                    new Segments(module, limits, in).elements(count("segments", limits.segments()));
            case 10 -> repeat("functions", limits.functions(), this::body);
            case 11 -> new Segments(module, limits, in).data(count("segments", limits.segments()));
            default -> module.dataCount = in.index("a number of segments");
        }
    }

    private void repeat(String what, int most, Runnable one) {
        for (int i = count(what, most); i > 0; i--) {
            one.run();
        }
    }

    private int count(String what, int most) {
        int count = in.index("the number of " + what);
        if (count > most) {
            throw tooMany(what, what, count, most);
        }
        if (count > in.left()) {
            throw in.malformed(count + " " + what + " do not fit into their section");
        }
        return count;
    }

    static ModuleException tooMany(String code, String what, long count, long most) {
        return new ModuleException(
                Reason.LIMIT + code,
                "the module has " + count + " " + what + ", at most " + most + " are admitted");
    }

    private void custom() {
        String name = in.name(limits.nameBytes());
        if (module.customs.size() < limits.imports()) {
            module.customs.add(name);
        }
        in.skip(in.left());
    }

    private void type() {
        int offset = in.at();
        int form = in.u8();
        if (form == 0x50 || form == 0x4E || form == 0x4F || form == 0x5E || form == 0x5F) {
            throw Feature.GC.refused(offset, "a type of an object");
        }
        if (form != 0x60) {
            throw in.malformed("no function type: " + form);
        }
        byte[] parameters = values("parameters", limits.parameters());
        byte[] results = values("results", limits.results());
        module.types.add(new Signature(parameters, results));
    }

    private byte[] values(String what, int most) {
        byte[] values = new byte[count(what, most)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (byte) Types.value(in);
        }
        return values;
    }

    private void imported() {
        String from = in.name(limits.nameBytes());
        String name = in.name(limits.nameBytes());
        int offset = in.at();
        int kind = in.u8();
        switch (kind) {
            case 0 -> {
                int type = in.index("a type");
                module.functions.add(type);
                module.importedFunctions++;
                module.imports.add(new Import(from, name, Kind.FUNCTION, type, ""));
            }
            case 1 -> {
                table();
                other(from, name, Kind.TABLE, module.tables.getLast().toString());
            }
            case 2 -> {
                memory();
                other(from, name, Kind.MEMORY, module.memories.getLast().toString());
            }
            case 3 -> {
                int type = Types.value(in);
                module.globals.add(new Global(type, Types.mutable(in), null));
                module.importedGlobals++;
                other(from, name, Kind.GLOBAL, module.globals.getLast().toString());
            }
            case 4 -> throw Feature.EXCEPTIONS.refused(offset, "an imported tag");
            default -> throw in.malformed("no kind of import: " + kind);
        }
    }

    private void other(String from, String name, Kind kind, String type) {
        module.imports.add(new Import(from, name, kind, BinaryModule.NONE, type));
    }

    private void function() {
        if (module.functions.size() >= limits.functions()) {
            throw tooMany(
                    "functions", "functions", module.functions.size() + 1, limits.functions());
        }
        module.functions.add(in.index("a type"));
    }

    private void table() {
        Types.reference(in);
        module.tables.add(Types.limits(in, "table"));
    }

    private void memory() {
        module.memories.add(Types.limits(in, "memory"));
    }

    private void global() {
        int type = Types.value(in);
        boolean mutable = Types.mutable(in);
        module.globals.add(new Global(type, mutable, Types.constant(in)));
    }

    private void export() {
        String name = in.name(limits.nameBytes());
        int offset = in.at();
        int kind = in.u8();
        if (kind == 4) {
            throw Feature.EXCEPTIONS.refused(offset, "an exported tag");
        }
        if (kind > 4) {
            throw in.malformed("no kind of export: " + kind);
        }
        module.exports.add(new Export(name, Kind.values()[kind], in.index("an index")));
    }

    private void body() {
        int size = in.index("the size of a function");
        int start = in.at();
        in.skip(size);
        module.bodies.add(new Body(start, start + size));
    }
}
