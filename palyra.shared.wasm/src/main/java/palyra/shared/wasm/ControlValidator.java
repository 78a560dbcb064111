package palyra.shared.wasm;

import java.util.Set;

/**
 * Checks control and call instructions, and collects facts for metering. Not thread-safe; used for
 * one function after another.
 */
final class ControlValidator {
    private final BinaryModule module;
    private final AdmissionLimits limits;
    private final OperandStack stack;
    private final Set<Feature> features;
    private ByteReader in;
    private Signature type;
    private boolean loops;
    private int blocks;
    private int stretches;
    private int calls;
    private boolean deeper;
    private boolean grows;
    private boolean narrowNans;
    private boolean wideNans;

    ControlValidator(
            BinaryModule module,
            AdmissionLimits limits,
            OperandStack stack,
            Set<Feature> features) {
        this.module = module;
        this.limits = limits;
        this.stack = stack;
        this.features = features;
    }

    /** Begins a function of a type. */
    void begin(ByteReader code, Signature function) {
        in = code;
        type = function;
        loops = false;
        blocks = 0;
        stretches = 0;
        calls = 0;
        deeper = false;
        grows = false;
        narrowNans = false;
        wideNans = false;
    }

    /** Returns what was found out about the function. */
    BodyFacts facts(int locals, int codeStart, int slots) {
        return new BodyFacts(
                locals,
                codeStart,
                slots,
                stack.deepest(),
                blocks,
                loops,
                stretches,
                calls,
                deeper,
                grows,
                narrowNans,
                wideNans);
    }

    /** Records an instruction that grows the memory. */
    void noteGrowth() {
        grows = true;
    }

    /** Records an instruction whose NaN is made canonical. */
    void noteNan(byte result) {
        narrowNans |= result == Numeric.F32;
        wideNans |= result == Numeric.F64;
    }

    /** Checks the instruction whose opcode was read. */
    void validate(int opcode, int offset) {
        switch (opcode) {
            case Op.UNREACHABLE -> stack.unreachable();
            case Op.NOP -> {}
            case Op.BLOCK, Op.LOOP, Op.IF -> open(opcode);
            case Op.ELSE -> {
                stack.turn();
                stretches++;
            }
            case Op.END -> {
                stack.end();
                stretches++;
            }
            case Op.BR -> {
                stack.pop(stack.label(in.u32()));
                stack.unreachable();
            }
            case Op.BR_IF -> {
                int depth = in.u32();
                stack.pop(Numeric.I32);
                stack.branch(stack.label(depth));
                stretches++;
            }
            case Op.BR_TABLE -> table();
            case Op.RETURN -> {
                stack.pop(type.results());
                stack.unreachable();
            }
            case Op.CALL -> call();
            case Op.CALL_INDIRECT -> callIndirect();
            default -> throw Op.unknown(opcode, offset, in);
        }
    }

    private void open(int opcode) {
        if (stack.nesting() > limits.nesting()) {
            throw new ModuleException(
                    Reason.LIMIT + "nesting",
                    "the block at offset "
                            + in.at()
                            + " is nested more than "
                            + limits.nesting()
                            + " deep");
        }
        blocks++;
        Signature block = blockType();
        loops |= opcode == Op.LOOP;
        stretches += opcode == Op.BLOCK ? 0 : 1;
        if (opcode == Op.IF) {
            stack.pop(Numeric.I32);
        }
        stack.pop(block.parameters());
        stack.open(opcode, block);
    }

    private Signature blockType() {
        int code = in.peek();
        if (code == Op.EMPTY_BLOCK) {
            in.u8();
            return Signature.empty();
        }
        if (code > Op.EMPTY_BLOCK && code < 0x80) {
            return Signature.result(Types.value(in));
        }
        long index = in.signed(33);
        if (index < 0 || index >= module.types.size()) {
            throw new OperandStack.Mismatch("there is no type " + index);
        }
        features.add(Feature.MULTI_VALUE);
        return module.types.get((int) index);
    }

    private void table() {
        int count = in.index("the number of labels");
        if (count >= in.left()) {
            throw in.malformed(count + " labels do not fit into their function");
        }
        stack.pop(Numeric.I32);
        int arity = -1;
        for (int i = 0; i <= count; i++) {
            byte[] label = stack.label(in.u32());
            if (arity >= 0 && label.length != arity) {
                throw new OperandStack.Mismatch("its labels take different numbers of values");
            }
            arity = label.length;
            stack.check(label);
        }
        stack.unreachable();
    }

    private void call() {
        int index = in.u32();
        if (index < 0 || index >= module.functions.size()) {
            throw new OperandStack.Mismatch(
                    "there is no function " + Integer.toUnsignedLong(index));
        }
        Signature callee = module.functionType(index);
        stack.pop(callee.parameters());
        stack.push(callee.results());
        deeper |= index >= module.importedFunctions;
        calls++;
    }

    private void callIndirect() {
        int index = in.u32();
        if (index < 0 || index >= module.types.size()) {
            throw new OperandStack.Mismatch("there is no type " + Integer.toUnsignedLong(index));
        }
        int table = in.u32();
        if (table < 0 || table >= module.tables.size()) {
            throw new OperandStack.Mismatch("there is no table " + Integer.toUnsignedLong(table));
        }
        stack.pop(Numeric.I32);
        stack.pop(module.types.get(index).parameters());
        stack.push(module.types.get(index).results());
        deeper = true;
        calls++;
    }
}
