package palyra.shared.wasm;

import java.util.Set;

/** Checks the instructions after the prefix 0xFC: saturating conversions and bulk memory. */
final class BulkValidator {
    private final BinaryModule module;
    private final OperandStack stack;
    private final Set<Feature> features;

    BulkValidator(BinaryModule module, OperandStack stack, Set<Feature> features) {
        this.module = module;
        this.stack = stack;
        this.features = features;
    }

    /** Checks the instruction whose prefix was read. */
    void validate(ByteReader in, int offset) {
        int number = in.u32();
        if (number >= 0 && number <= Op.LAST_SATURATING) {
            features.add(Feature.SATURATING_CONVERSION);
            features.add(Feature.FLOAT);
            stack.pop(Numeric.saturatingOperand(number));
            stack.push(Numeric.saturatingResult(number));
            return;
        }
        switch (number) {
            case Op.MEMORY_INIT -> {
                data(in.u32());
                memory(in);
            }
            case Op.DATA_DROP -> data(in.u32());
            case Op.MEMORY_COPY -> {
                memory(in);
                memory(in);
            }
            case Op.MEMORY_FILL -> memory(in);
            case Op.TABLE_INIT -> {
                elements(in.u32());
                table(in.u32());
            }
            case Op.ELEM_DROP -> elements(in.u32());
            case Op.TABLE_COPY -> {
                table(in.u32());
                table(in.u32());
            }
            default -> throw Op.unknownAfterPrefix(number, offset, in);
        }
        features.add(Feature.BULK_MEMORY);
        if (number != Op.DATA_DROP && number != Op.ELEM_DROP) {
            stack.pop(Numeric.I32);
            stack.pop(Numeric.I32);
            stack.pop(Numeric.I32);
        }
    }

    private void memory(ByteReader in) {
        if (in.u8() != 0) {
            throw Feature.MULTI_MEMORY.refused(in.at(), "an instruction on another memory");
        }
        if (module.memories.isEmpty()) {
            throw new OperandStack.Mismatch("the module has no memory");
        }
    }

    private void data(int index) {
        if (module.dataCount == BinaryModule.NONE) {
            throw new OperandStack.Mismatch("the module announces no data segments");
        }
        if (index < 0 || index >= module.dataCount) {
            throw new OperandStack.Mismatch(
                    "there is no data segment " + Integer.toUnsignedLong(index));
        }
    }

    private void elements(int index) {
        if (index < 0 || index >= module.elements.size()) {
            throw new OperandStack.Mismatch(
                    "there is no element segment " + Integer.toUnsignedLong(index));
        }
    }

    private void table(int index) {
        if (index < 0 || index >= module.tables.size()) {
            throw new OperandStack.Mismatch("there is no table " + Integer.toUnsignedLong(index));
        }
    }
}
