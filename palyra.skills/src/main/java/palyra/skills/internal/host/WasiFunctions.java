package palyra.skills.internal.host;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost.Body;
import palyra.api.core.wasm.WasmHost.GuestMemory;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;
import palyra.api.core.wasm.WasmHost.WasmStop;

/**
 * A closed part of WASI preview 1, as its {@code witx} describes it: standard streams, clocks,
 * random bytes, the end. There are no files, arguments or variables.
 */
final class WasiFunctions {
    static final String MODULE = "wasi_snapshot_preview1";

    private static final int SUCCESS = 0;
    private static final int BAD_DESCRIPTOR = 8;
    private static final int TOO_LARGE = 22;
    private static final int INVALID = 28;
    private static final int NO_SYSTEM_CALL = 52;
    private static final int NO_SEEK = 70;

    private static final int MOST_VECTORS = 1_024;
    private static final int MOST_WRITE = 1 << 20;
    private static final byte CHARACTER_DEVICE = 2;
    private static final long RIGHT_READ = 1L << 1;
    private static final long RIGHT_WRITE = 1L << 6;

    private final HostCall call;
    private int readUpTo; // on the thread of the call

    private WasiFunctions(HostCall call) {
        this.call = call;
    }

    static List<WasmFunction> of(HostCall call) {
        WasiFunctions wasi = new WasiFunctions(call);
        return List.of(
                i32("fd_write", 4, wasi::write),
                i32("fd_read", 4, wasi::read),
                i32("fd_close", 1, (m, a) -> standard(a[0]) ? SUCCESS : BAD_DESCRIPTOR),
                function(
                        "fd_seek",
                        List.of(Number.I32, Number.I64, Number.I32, Number.I32),
                        (m, a) -> standard(a[0]) ? NO_SEEK : BAD_DESCRIPTOR),
                i32("fd_fdstat_get", 2, WasiFunctions::status),
                i32("fd_prestat_get", 2, (m, a) -> BAD_DESCRIPTOR),
                i32("fd_prestat_dir_name", 3, (m, a) -> BAD_DESCRIPTOR),
                Signature.action(MODULE, "proc_exit", 1, wasi::exit),
                i32("environ_get", 2, (m, a) -> SUCCESS),
                i32("environ_sizes_get", 2, WasiFunctions::nothing),
                i32("args_get", 2, (m, a) -> SUCCESS),
                i32("args_sizes_get", 2, WasiFunctions::nothing),
                function(
                        "clock_time_get",
                        List.of(Number.I32, Number.I64, Number.I32),
                        WasiFunctions::time),
                i32("clock_res_get", 2, WasiFunctions::resolution),
                i32("random_get", 2, WasiFunctions::random),
                i32("sched_yield", 0, (m, a) -> SUCCESS),
                i32("poll_oneoff", 4, (m, a) -> NO_SYSTEM_CALL));
    }

    private static WasmFunction i32(String name, int parameters, Body body) {
        return Signature.i32(MODULE, name, parameters, body);
    }

    private static WasmFunction function(String name, List<Number> parameters, Body body) {
        return new WasmFunction(MODULE, name, parameters, List.of(Number.I32), body);
    }

    private static boolean standard(long descriptor) {
        return descriptor >= 0 && descriptor <= 2;
    }

    /** One piece of memory that is read into or written from. */
    private record Vector(int address, int length) {}

    private static Vector[] vectors(GuestMemory memory, long address, long count) {
        int entries = (int) count;
        if (Integer.compareUnsigned(entries, MOST_VECTORS) > 0) {
            return null;
        }
        ByteBuffer raw =
                ByteBuffer.wrap(memory.read((int) address, entries * 8, MOST_VECTORS * 8))
                        .order(ByteOrder.LITTLE_ENDIAN);
        Vector[] vectors = new Vector[entries];
        Arrays.setAll(vectors, i -> new Vector(raw.getInt(i * 8), raw.getInt(i * 8 + 4)));
        return vectors;
    }

    private long write(GuestMemory memory, long[] arguments) {
        if (arguments[0] != 1 && arguments[0] != 2) {
            return BAD_DESCRIPTOR;
        }
        boolean answer = call.command() && arguments[0] == 1;
        Vector[] vectors = vectors(memory, arguments[1], arguments[2]);
        if (vectors == null) {
            return INVALID;
        }
        long total = 0;
        for (Vector vector : vectors) {
            total += Integer.toUnsignedLong(vector.length());
        }
        if (total > (answer ? call.output().room() : MOST_WRITE)) {
            if (answer) {
                call.output().overflow();
            }
            return TOO_LARGE;
        }
        for (Vector vector : vectors) {
            byte[] bytes = memory.read(vector.address(), vector.length(), MOST_WRITE);
            if (answer) {
                call.output().write(bytes);
            } else {
                call.output().stream(bytes);
            }
        }
        memory.write((int) arguments[3], four((int) total));
        return SUCCESS;
    }

    private long read(GuestMemory memory, long[] arguments) {
        Vector[] vectors =
                arguments[0] == 0 ? vectors(memory, arguments[1], arguments[2]) : new Vector[0];
        if (arguments[0] != 0 || vectors == null) {
            return arguments[0] != 0 ? BAD_DESCRIPTOR : INVALID;
        }
        byte[] input = call.input();
        int from = readUpTo;
        int at = from;
        for (Vector vector : vectors) {
            long room = Integer.toUnsignedLong(vector.length());
            int to = (int) Math.min(input.length, at + room);
            memory.write(vector.address(), Arrays.copyOfRange(input, at, to));
            at = to;
        }
        memory.write((int) arguments[3], four(at - from));
        readUpTo = at;
        return SUCCESS;
    }

    private static long status(GuestMemory memory, long[] arguments) {
        if (!standard(arguments[0])) {
            return BAD_DESCRIPTOR;
        }
        ByteBuffer status = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        status.put(0, CHARACTER_DEVICE);
        status.putLong(8, arguments[0] == 0 ? RIGHT_READ : RIGHT_WRITE);
        memory.write((int) arguments[1], status.array());
        return SUCCESS;
    }

    private long exit(GuestMemory memory, long[] arguments) {
        int code = (int) arguments[0];
        call.exit(code);
        throw new WasmStop(WasmEnding.EXITED, Integer.toString(code));
    }

    private static long nothing(GuestMemory memory, long[] arguments) {
        memory.write((int) arguments[0], four(0));
        memory.write((int) arguments[1], four(0));
        return SUCCESS;
    }

    private static long time(GuestMemory memory, long[] arguments) {
        if (arguments[0] < 0 || arguments[0] > 3) {
            return INVALID;
        }
        long nanos =
                arguments[0] == 0 ? System.currentTimeMillis() * 1_000_000L : System.nanoTime();
        memory.write((int) arguments[2], eight(nanos));
        return SUCCESS;
    }

    private static long resolution(GuestMemory memory, long[] arguments) {
        if (arguments[0] < 0 || arguments[0] > 3) {
            return INVALID;
        }
        memory.write((int) arguments[1], eight(arguments[0] == 0 ? 1_000_000L : 1L));
        return SUCCESS;
    }

    private static long random(GuestMemory memory, long[] arguments) {
        return BasicFunctions.fill(memory, (int) arguments[0], (int) arguments[1])
                ? SUCCESS
                : INVALID;
    }

    private static byte[] four(int number) {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
    }

    private static byte[] eight(long number) {
        return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
    }
}
