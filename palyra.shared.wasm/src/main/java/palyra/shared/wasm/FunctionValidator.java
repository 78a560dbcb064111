package palyra.shared.wasm;

import java.util.Set;
import palyra.shared.wasm.BinaryModule.Body;
import palyra.shared.wasm.BinaryModule.Global;

/**
 * Checks the body of a function: the validation algorithm in the appendix of the core
 * specification, with one pass over the bytes and no recursion. Not thread-safe; used for one
 * function after another.
 */
final class FunctionValidator {
    private final BinaryModule module;
    private final Set<Feature> features;
    private final OperandStack stack = new OperandStack();
    private final Locals locals;
    private final BulkValidator bulk;
    private final ControlValidator control;
    private ByteReader in;

    FunctionValidator(BinaryModule module, AdmissionLimits limits, Set<Feature> features) {
        this.module = module;
        this.features = features;
        this.locals = new Locals(limits);
        this.bulk = new BulkValidator(module, stack, features);
        this.control = new ControlValidator(module, limits, stack, features);
    }

    /**
     * Checks the body of a function.
     *
     * @throws ModuleException when it is malformed, does not validate, uses a feature that is not
     *     admitted or is more than the limits allow
     */
    BodyFacts validate(int function, Body body) {
        in = new ByteReader(module.bytes, body.start(), body.end());
        Signature type = module.functionType(function);
        control.begin(in, type);
        locals.read(in, type);
        stack.clear();
        stack.open(Op.BLOCK, new Signature(Signature.empty().parameters(), type.results()));
        int codeStart = in.at();
        while (!stack.done()) {
            step(function);
        }
        if (in.more()) {
            throw in.malformed("function " + function + " goes on after its end");
        }
        int slots = locals.slots() + 2 * stack.highest();
        return control.facts(locals.count(), codeStart, slots);
    }

    private void step(int function) {
        int offset = in.at();
        int opcode = in.u8();
        try {
            instruction(opcode, offset);
        } catch (OperandStack.Mismatch e) {
            throw new ModuleException(
                    Reason.INVALID,
                    "function "
                            + function
                            + ", instruction 0x"
                            + Integer.toHexString(opcode)
                            + " at offset "
                            + offset
                            + ": "
                            + e.getMessage());
        }
    }

    private void instruction(int opcode, int offset) {
        if (opcode >= Op.FIRST_NUMERIC && opcode <= Op.LAST_NUMERIC) {
            numeric(opcode);
        } else if (opcode >= Op.FIRST_LOAD && opcode <= Op.LAST_STORE) {
            access(opcode);
        } else if (opcode >= Op.LOCAL_GET && opcode <= Op.GLOBAL_SET) {
            variable(opcode);
        } else if (opcode <= Op.CALL_INDIRECT) {
            control.validate(opcode, offset);
        } else {
            other(opcode, offset);
        }
    }

    private void numeric(int opcode) {
        byte operand = Numeric.operand(opcode);
        byte result = Numeric.result(opcode);
        stack.pop(operand);
        if (Numeric.arity(opcode) == 2) {
            stack.pop(operand);
        }
        stack.push(result);
        if (opcode >= Op.FIRST_SIGN_EXTENSION) {
            features.add(Feature.SIGN_EXTENSION);
        }
        if (Numeric.isFloat(operand) || Numeric.isFloat(result)) {
            features.add(Feature.FLOAT);
        }
        if (Numeric.nanIsOpen(opcode)) {
            control.noteNan(result);
        }
    }

    private void access(int opcode) {
        int align = in.u32();
        if ((align & 0x40) != 0) {
            throw Feature.MULTI_MEMORY.refused(in.at(), "an access to another memory");
        }
        in.u32();
        needMemory();
        if (align < 0 || align > Numeric.align(opcode)) {
            throw new OperandStack.Mismatch("its alignment is larger than its size");
        }
        if (opcode < Op.FIRST_STORE) {
            stack.pop(Numeric.I32);
            stack.push(Numeric.result(opcode));
        } else {
            stack.pop(Numeric.result(opcode));
            stack.pop(Numeric.I32);
        }
    }

    private void needMemory() {
        if (module.memories.isEmpty()) {
            throw new OperandStack.Mismatch("the module has no memory");
        }
    }

    private void variable(int opcode) {
        int index = in.u32();
        switch (opcode) {
            case Op.LOCAL_GET -> stack.push(locals.type(index));
            case Op.LOCAL_SET -> stack.pop(locals.type(index));
            case Op.LOCAL_TEE -> {
                stack.pop(locals.type(index));
                stack.push(locals.type(index));
            }
            case Op.GLOBAL_GET -> stack.push((byte) global(index).type());
            default -> {
                Global global = global(index);
                if (!global.mutable()) {
                    throw new OperandStack.Mismatch("global " + index + " cannot change");
                }
                stack.pop((byte) global.type());
            }
        }
    }

    private Global global(int index) {
        if (index < 0 || index >= module.globals.size()) {
            throw new OperandStack.Mismatch("there is no global " + Integer.toUnsignedLong(index));
        }
        return module.globals.get(index);
    }

    private void other(int opcode, int offset) {
        switch (opcode) {
            case Op.DROP -> stack.pop();
            case Op.SELECT -> {
                stack.pop(Numeric.I32);
                stack.select();
            }
            case Op.SELECT_TYPED -> throw Feature.REFERENCE_TYPES.refused(offset, "a typed select");
            case Op.MEMORY_SIZE, Op.MEMORY_GROW -> memory(opcode);
            case Op.I32_CONST -> {
                in.signed(32);
                stack.push(Numeric.I32);
            }
            case Op.I64_CONST -> {
                in.signed(64);
                stack.push(Numeric.I64);
            }
            case Op.F32_CONST -> floating(4, Numeric.F32);
            case Op.F64_CONST -> floating(8, Numeric.F64);
            case Op.PREFIX -> bulk.validate(in, offset);
            default -> throw Op.unknown(opcode, offset, in);
        }
    }

    private void memory(int opcode) {
        if (in.u8() != 0) {
            throw Feature.MULTI_MEMORY.refused(in.at(), "an instruction on another memory");
        }
        needMemory();
        if (opcode == Op.MEMORY_GROW) {
            control.noteGrowth();
            stack.pop(Numeric.I32);
        }
        stack.push(Numeric.I32);
    }

    private void floating(int bytes, byte result) {
        in.skip(bytes);
        stack.push(result);
        features.add(Feature.FLOAT);
    }
}
