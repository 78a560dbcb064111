package palyra.skills.engine.wasmtime.internal.worker;

import io.github.kawamuray.wasmtime.Extern;
import io.github.kawamuray.wasmtime.Func;
import io.github.kawamuray.wasmtime.FuncType;
import io.github.kawamuray.wasmtime.ImportType;
import io.github.kawamuray.wasmtime.Memory;
import io.github.kawamuray.wasmtime.Module;
import io.github.kawamuray.wasmtime.Store;
import io.github.kawamuray.wasmtime.Val;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import palyra.skills.engine.wasmtime.internal.protocol.Frame;
import palyra.skills.engine.wasmtime.internal.protocol.Kind;
import palyra.skills.engine.wasmtime.internal.protocol.Messages;

/**
 * The functions that a module imports: each asks the gateway, and serves its reads and writes of
 * the memory until it answers.
 */
final class HostCalls implements AutoCloseable {
    private static final byte[] EMPTY = new byte[0];

    private final Task task;
    private final Store<Void> store;
    private final List<Func> functions = new ArrayList<>();
    private Memory memory;
    private ModuleFuel fuel;
    private boolean halted;

    /** The fuel in the module. */
    interface ModuleFuel {
        long left();

        void set(long left);
    }

    HostCalls(Task task, Store<Void> store) {
        this.task = task;
        this.store = store;
    }

    /** Sets the memory that host functions use; null when the module exports none. */
    void memory(Memory exported) {
        memory = exported;
    }

    /** Sets what host functions are charged to; before any code of the module runs. */
    void fuel(ModuleFuel ofModule) {
        fuel = ofModule;
    }

    /** Returns whether a host function ended the call. */
    boolean halted() {
        return halted;
    }

    /** Returns what the module imports, in its order. */
    List<Extern> link(Module module, List<Messages.Given> given) {
        List<Extern> externs = new ArrayList<>();
        for (ImportType one : module.imports()) {
            String name = one.module() + "." + one.name();
            if (one.type() != ImportType.Type.FUNC) {
                throw new LinkException("it imports " + name + ", which is not a function");
            }
            int at = find(one, given);
            if (at < 0) {
                throw new LinkException("it imports " + name + ", which it was not given");
            }
            FuncType type = one.func();
            if (!letters(type.getParams()).equals(given.get(at).parameters())
                    || !letters(type.getResults()).equals(given.get(at).results())) {
                throw new LinkException("it imports " + name + " with another type");
            }
            Func function =
                    new Func(
                            store,
                            type,
                            (caller, arguments, results) -> call(at, type, arguments, results));
            functions.add(function);
            externs.add(Extern.fromFunc(function));
        }
        return externs;
    }

    private static int find(ImportType one, List<Messages.Given> given) {
        for (int at = 0; at < given.size(); at++) {
            if (given.get(at).module().equals(one.module())
                    && given.get(at).name().equals(one.name())) {
                return at;
            }
        }
        return -1;
    }

    private static String letters(Val.Type[] types) {
        StringBuilder letters = new StringBuilder();
        for (Val.Type type : types) {
            letters.append(
                    switch (type) {
                        case I32 -> 'i';
                        case I64 -> 'l';
                        case F32 -> 'f';
                        case F64 -> 'd';
                        case EXTERN_REF, FUNC_REF, V128 -> '?';
                    });
        }
        return letters.toString();
    }

    private void call(int function, FuncType type, Val[] arguments, Val[] results) {
        if (task.cancelled()) {
            throw new IllegalStateException("the call is to end");
        }
        long[] bits = new long[arguments.length];
        for (int at = 0; at < bits.length; at++) {
            bits[at] = bits(arguments[at]);
        }
        try {
            long size = memory == null ? 0 : memory.dataSize(store);
            task.say(Kind.HOST, new Messages.HostCall(function, size, fuel.left(), bits).bytes());
            long value = answer();
            if (type.getResults().length > 0) {
                results[0] = val(type.getResults()[0], value);
            }
        } catch (IOException | InterruptedException e) {
            halted = true;
            throw new IllegalStateException("the gateway does not answer", e);
        }
        if (task.cancelled()) {
            throw new IllegalStateException("the call is to end");
        }
    }

    private long answer() throws IOException, InterruptedException {
        while (true) {
            Frame frame = task.next();
            switch (frame.kind()) {
                case READ -> read(Messages.Piece.of(frame));
                case WRITE -> write(Messages.Piece.of(frame));
                case DONE -> {
                    Messages.Answer answer = Messages.Answer.of(frame);
                    fuel.set(answer.fuel());
                    return answer.value();
                }
                default -> {
                    halted = true;
                    fuel.set(Messages.Answer.of(frame).fuel());
                    throw new IllegalStateException("a host function ended the call");
                }
            }
        }
    }

    private void read(Messages.Piece piece) throws IOException {
        ByteBuffer buffer = inside(piece.address(), piece.length() & 0xffff_ffffL);
        if (buffer == null) {
            task.say(Kind.OUTSIDE, EMPTY);
            return;
        }
        byte[] bytes = new byte[piece.length()];
        buffer.get(bytes);
        task.say(Kind.BYTES, bytes);
    }

    private void write(Messages.Piece piece) throws IOException {
        ByteBuffer buffer = inside(piece.address(), piece.content().length);
        if (buffer == null) {
            task.say(Kind.OUTSIDE, EMPTY);
            return;
        }
        buffer.put(piece.content());
        task.say(Kind.BYTES, EMPTY);
    }

    /** Returns the memory from an address on; null when the piece is not all inside. */
    private ByteBuffer inside(int address, long length) {
        long from = address & 0xffff_ffffL;
        if (memory == null || from + length > memory.dataSize(store)) {
            return null;
        }
        return memory.buffer(store).position((int) from);
    }

    private static long bits(Val value) {
        return switch (value.getType()) {
            case I32 -> value.i32();
            case I64 -> value.i64();
            case F32 -> Float.floatToRawIntBits(value.f32());
            case F64 -> Double.doubleToRawLongBits(value.f64());
            case EXTERN_REF, FUNC_REF, V128 ->
                    throw new IllegalStateException("no type of a host function");
        };
    }

    private static Val val(Val.Type type, long value) {
        return switch (type) {
            case I32 -> Val.fromI32((int) value);
            case I64 -> Val.fromI64(value);
            case F32 -> Val.fromF32(Float.intBitsToFloat((int) value));
            case F64 -> Val.fromF64(Double.longBitsToDouble(value));
            case EXTERN_REF, FUNC_REF, V128 ->
                    throw new IllegalStateException("no type of a host function");
        };
    }

    @Override
    public void close() {
        functions.forEach(Func::close);
    }
}
