package palyra.api.core.wasm;

import java.util.List;
import java.util.function.Supplier;
import palyra.api.Require;

/**
 * What one call may reach outside its module: exactly these functions. A module that imports
 * anything else does not start ({@link WasmEnding#LINK}).
 *
 * @param functions the functions, by module and name; an engine links those that are imported
 */
public record WasmHost(List<WasmFunction> functions) {
    /** Checks and copies. */
    public WasmHost {
        functions = List.copyOf(functions);
    }

    /** Types of numbers. */
    public enum Number {
        /** 32-bit integer. */
        I32,
        /** 64-bit integer. */
        I64,
        /** 32-bit float; passed as its bits. */
        F32,
        /** 64-bit float; passed as its bits. */
        F64
    }

    /**
     * A function for a module.
     *
     * @param module first part of the import's name
     * @param name second part
     * @param parameters types of its parameters
     * @param results types of its results: none or one
     * @param body what it does
     */
    public record WasmFunction(
            String module, String name, List<Number> parameters, List<Number> results, Body body) {
        /** Checks and copies. */
        public WasmFunction {
            Require.present(module, "module of a function");
            Require.present(name, "name of a function");
            parameters = List.copyOf(parameters);
            results = List.copyOf(results);
            Require.that(results.size() <= 1, "a host function returns at most one number");
            Require.present(body, "body of a function");
        }
    }

    /**
     * What a host function does. Runs on the thread of the call, which may be interrupted. The call
     * and each byte it moves are charged to the module's fuel before, by the prices in {@code
     * docs/wasm.md}.
     */
    @FunctionalInterface
    public interface Body {
        /**
         * Does it.
         *
         * @param memory the caller's memory
         * @param arguments one for each parameter; i32 sign-extended, floats as bits
         * @return the result; ignored when the function has none
         * @throws WasmStop ends the call as it says
         * @throws RuntimeException ends the call {@link WasmEnding#HOST_FAILED} with its message
         */
        long call(GuestMemory memory, long[] arguments);
    }

    /**
     * Memory of the module that calls. Valid during the host function only. An address outside ends
     * the call {@link WasmEnding#TRAPPED}, as if the module had used it itself; so does any address
     * in a module without a memory.
     */
    public interface GuestMemory {
        /** Returns its size in bytes. */
        long size();

        /**
         * Returns a copy.
         *
         * @param address unsigned 32-bit address
         * @param length in bytes, unsigned; more than {@code most} is refused with a trap
         */
        byte[] read(int address, int length, int most);

        /** Writes all bytes or none. */
        void write(int address, byte[] bytes);

        /**
         * Writes bytes that are made only when there is room and fuel for them, because making them
         * is work too.
         *
         * @param length how many bytes {@code made} gives, unsigned
         */
        default void write(int address, int length, Supplier<byte[]> made) {
            write(address, made.get());
        }
    }

    /** Thrown by a host function to end the call in a certain way. */
    public static final class WasmStop extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final WasmEnding ending;

        /** Creates one with what the result's detail will say. */
        public WasmStop(WasmEnding ending, String detail) {
            super(detail, null, false, false);
            this.ending = Require.present(ending, "ending");
        }

        /** Returns how the call ends. */
        public WasmEnding ending() {
            return ending;
        }
    }
}
