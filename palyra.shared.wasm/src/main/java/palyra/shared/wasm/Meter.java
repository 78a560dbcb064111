package palyra.shared.wasm;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import palyra.api.core.wasm.WasmModule;
import palyra.shared.wasm.BinaryModule.Constant;
import palyra.shared.wasm.BinaryModule.Elements;
import palyra.shared.wasm.BinaryModule.Export;
import palyra.shared.wasm.BinaryModule.Global;
import palyra.shared.wasm.BinaryModule.Import;
import palyra.shared.wasm.BinaryModule.Kind;
import palyra.shared.wasm.BinaryModule.Limits;
import palyra.shared.wasm.BinaryModule.Mode;
import palyra.shared.wasm.MeterFunctions.Added;

/**
 * Rewrites an admitted module: metered, with its memory and table clamped, its start function an
 * export, without custom sections. Takes time and memory in proportion to the module.
 */
final class Meter {
    private static final int FUNCREF = 0x70;
    private static final Signature GROWTH = new Signature(new byte[] {Numeric.I32}, new byte[0]);

    private final BinaryModule module;
    private final AdmissionLimits limits;
    private final List<BodyFacts> facts;
    private final MeterLayout layout;
    private final List<Added> added;
    private final MeterFunctions functions;

    private Meter(BinaryModule module, AdmissionLimits limits, List<BodyFacts> facts) {
        this.module = module;
        this.limits = limits;
        this.facts = facts;
        this.layout = new MeterLayout(module, facts.stream().anyMatch(BodyFacts::grows));
        this.functions = new MeterFunctions(layout, pages());
        List<Added> all = List.of(Added.values());
        this.added = module.memories.isEmpty() ? all.subList(0, all.size() - 1) : all;
    }

    /** Returns the metered module for engines. */
    static WasmModule meter(BinaryModule module, AdmissionLimits limits, List<BodyFacts> facts) {
        Meter meter = new Meter(module, limits, facts);
        byte[] bytes = meter.write();
        return new WasmModule(
                palyra.shared.hash.Digests.sha256Hex(bytes),
                MeterCosts.VERSION,
                meter.pages(),
                module.memories.isEmpty() ? 0 : (int) module.memories.getFirst().least(),
                module.start != BinaryModule.NONE,
                bytes);
    }

    private int pages() {
        return module.memories.isEmpty()
                ? 0
                : (int) most(module.memories.getFirst(), limits.memoryPages());
    }

    private static long most(Limits declared, long cap) {
        return declared.most() == BinaryModule.NONE ? cap : Math.min(declared.most(), cap);
    }

    private byte[] write() {
        ByteWriter code = code(); // first, because it may add types
        ByteWriter out = new ByteWriter(module.bytes.length * 3 / 2 + 512);
        out.u8(0, 'a', 's', 'm', 1, 0, 0, 0);
        out.section(1, types());
        out.section(2, imports());
        out.section(3, functions());
        out.section(4, clamped(module.tables, limits.tableEntries(), FUNCREF));
        out.section(5, clamped(module.memories, limits.memoryPages(), BinaryModule.NONE));
        out.section(6, globals());
        out.section(7, exports());
        out.section(9, elements());
        if (module.dataCount != BinaryModule.NONE) {
            out.section(12, new ByteWriter(8).u32(module.dataCount));
        }
        return out.section(10, code).section(11, data()).toBytes();
    }

    private ByteWriter code() {
        ByteWriter out = new ByteWriter(module.bytes.length * 3 / 2 + 512);
        out.u32(module.bodies.size() + added.size());
        Set<Integer> exported = exported();
        BodyMeter meter = new BodyMeter(module, layout);
        for (int i = 0; i < module.bodies.size(); i++) {
            int function = module.importedFunctions + i;
            meter.write(
                    module.functionType(function),
                    module.bodies.get(i),
                    facts.get(i),
                    exported.contains(function),
                    out);
        }
        added.forEach(one -> functions.write(one, out));
        added.forEach(one -> layout.type(one.type()));
        if (layout.grows()) {
            layout.type(GROWTH);
        }
        return out;
    }

    private Set<Integer> exported() {
        Set<Integer> exported = new HashSet<>();
        exported.add(module.start);
        module.exports.stream()
                .filter(one -> one.kind() == Kind.FUNCTION)
                .forEach(one -> exported.add(one.index()));
        return exported;
    }

    private ByteWriter types() {
        ByteWriter out = new ByteWriter(256);
        out.u32(module.types.size() + layout.types().size());
        module.types.forEach(type -> type(type, out));
        layout.types().forEach(type -> type(type, out));
        return out;
    }

    private static void type(Signature type, ByteWriter out) {
        out.u8(0x60).u32(type.parameters().length);
        out.raw(type.parameters(), 0, type.parameters().length).u32(type.results().length);
        out.raw(type.results(), 0, type.results().length);
    }

    private ByteWriter imports() {
        ByteWriter out = new ByteWriter(256);
        int count = module.imports.size() + (layout.grows() ? 1 : 0);
        if (count > 0) {
            out.u32(count);
        }
        for (Import one : module.imports) {
            out.name(one.module()).name(one.name()).u8(0).u32(one.index());
        }
        if (layout.grows()) {
            out.name(WasmModule.METER).name(WasmModule.GROW).u8(0).u32(layout.type(GROWTH));
        }
        return out;
    }

    private ByteWriter functions() {
        ByteWriter out = new ByteWriter(module.functions.size() + 16);
        out.u32(module.bodies.size() + added.size());
        for (int i = module.importedFunctions; i < module.functions.size(); i++) {
            out.u32(module.functions.get(i));
        }
        added.forEach(one -> out.u32(layout.type(one.type())));
        return out;
    }

    private static ByteWriter clamped(List<Limits> spaces, int cap, int type) {
        ByteWriter out = new ByteWriter(16);
        for (Limits space : spaces) {
            out.u32(1);
            if (type != BinaryModule.NONE) {
                out.u8(type);
            }
            out.u8(1).u32((int) space.least()).u32((int) most(space, cap));
        }
        return out;
    }

    private ByteWriter globals() {
        ByteWriter out = new ByteWriter(256);
        out.u32(module.globals.size() + MeterLayout.ADDED_GLOBALS);
        for (Global global : module.globals) {
            out.u8(global.type(), global.mutable() ? 1 : 0);
            constant(global.value(), out);
        }
        out.u8(Numeric.I64, 1, Op.I64_CONST, 0, Op.END);
        out.u8(Numeric.I32, 1, Op.I32_CONST).s64(limits.depth()).u8(Op.END);
        return out.u8(Numeric.I32, 1, Op.I32_CONST, 0, Op.END);
    }

    private void constant(Constant constant, ByteWriter out) {
        out.raw(module.bytes, constant.start(), constant.end()); // it names no function
    }

    private ByteWriter exports() {
        boolean start = module.start != BinaryModule.NONE;
        ByteWriter out = new ByteWriter(256).u32(module.exports.size() + (start ? 4 : 3));
        for (Export one : module.exports) {
            boolean function = one.kind() == Kind.FUNCTION;
            int index = function ? layout.moved(one.index()) : one.index();
            out.name(one.name()).u8(one.kind().ordinal()).u32(index);
        }
        out.name(WasmModule.FUEL).u8(0).u32(layout.function(Added.FUEL));
        out.name(WasmModule.REFUEL).u8(0).u32(layout.function(Added.REFUEL));
        out.name(WasmModule.STOPPED).u8(0).u32(layout.function(Added.STOPPED));
        return start ? out.name(WasmModule.START).u8(0).u32(layout.moved(module.start)) : out;
    }

    private ByteWriter elements() {
        ByteWriter out = new ByteWriter(module.elementEntries() * 2 + 16);
        if (!module.elements.isEmpty()) {
            out.u32(module.elements.size());
        }
        module.elements.forEach(segment -> elements(segment, out));
        return out;
    }

    /** Active, passive, declared; with expressions only when there is a null among them. */
    private void elements(Elements segment, ByteWriter out) {
        boolean nulls = false;
        for (int function : segment.functions()) {
            nulls |= function == BinaryModule.NONE;
        }
        boolean active = segment.mode() == Mode.ACTIVE;
        out.u8((active ? 0 : segment.mode() == Mode.PASSIVE ? 1 : 3) + (nulls ? 4 : 0));
        if (active) {
            constant(segment.offset(), out);
        } else {
            out.u8(nulls ? FUNCREF : 0);
        }
        out.u32(segment.functions().length);
        for (int function : segment.functions()) {
            element(function, nulls, out);
        }
    }

    private void element(int function, boolean expression, ByteWriter out) {
        if (!expression) {
            out.u32(layout.moved(function));
        } else if (function == BinaryModule.NONE) {
            out.u8(Op.REF_NULL, FUNCREF, Op.END);
        } else {
            out.u8(Op.REF_FUNC).u32(layout.moved(function)).u8(Op.END);
        }
    }

    private ByteWriter data() {
        ByteWriter out = new ByteWriter(module.dataBytes() + 16);
        if (!module.data.isEmpty()) {
            out.u32(module.data.size());
        }
        for (BinaryModule.Data segment : module.data) {
            out.u8(segment.mode() == Mode.ACTIVE ? 0 : 1);
            if (segment.mode() == Mode.ACTIVE) {
                constant(segment.offset(), out);
            }
            out.u32(segment.end() - segment.start());
            out.raw(module.bytes, segment.start(), segment.end());
        }
        return out;
    }
}
