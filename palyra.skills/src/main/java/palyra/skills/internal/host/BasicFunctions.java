package palyra.skills.internal.host;

import java.security.SecureRandom;
import java.util.List;
import palyra.api.core.wasm.WasmHost.GuestMemory;
import palyra.api.core.wasm.WasmHost.Number;
import palyra.api.core.wasm.WasmHost.WasmFunction;

/** Functions that every module may import: buffers, output, log, time, random bytes. */
final class BasicFunctions {
    private static final int MOST_RANDOM = 65_536;
    private static final int MOST_LOG_READ = 65_536;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final HostCall call;

    private BasicFunctions(HostCall call) {
        this.call = call;
    }

    static List<WasmFunction> of(HostCall call) {
        BasicFunctions functions = new BasicFunctions(call);
        return List.of(
                Signature.i32(Signature.PALYRA, "buffer_len", 1, functions::bufferLength),
                Signature.i32(Signature.PALYRA, "buffer_read", 4, functions::bufferRead),
                Signature.i32(Signature.PALYRA, "buffer_close", 1, functions::bufferClose),
                Signature.i32(Signature.PALYRA, "output_write", 2, functions::outputWrite),
                Signature.action(Signature.PALYRA, "log", 3, functions::log),
                new WasmFunction(
                        Signature.PALYRA,
                        "now",
                        List.of(),
                        List.of(Number.I64),
                        (memory, arguments) -> System.currentTimeMillis()),
                Signature.i32(Signature.PALYRA, "random", 2, BasicFunctions::random));
    }

    private long bufferLength(GuestMemory memory, long[] arguments) {
        return call.buffers().length((int) arguments[0]);
    }

    private long bufferRead(GuestMemory memory, long[] arguments) {
        byte[] bytes =
                call.buffers().read((int) arguments[0], (int) arguments[1], (int) arguments[3]);
        if (bytes == null) {
            return -1;
        }
        memory.write((int) arguments[2], bytes);
        return bytes.length;
    }

    private long bufferClose(GuestMemory memory, long[] arguments) {
        return call.buffers().close((int) arguments[0]) ? 0 : -1;
    }

    private long outputWrite(GuestMemory memory, long[] arguments) {
        int length = (int) arguments[1];
        int room = call.output().room();
        if (Integer.compareUnsigned(length, room) > 0) {
            call.output().overflow();
            return -1;
        }
        return call.output().write(memory.read((int) arguments[0], length, room)) ? 0 : -1;
    }

    private long log(GuestMemory memory, long[] arguments) {
        int length = (int) arguments[2];
        int read = Integer.compareUnsigned(length, MOST_LOG_READ) > 0 ? MOST_LOG_READ : length;
        call.output().log((int) arguments[0], memory.read((int) arguments[1], read, read));
        return 0;
    }

    private static long random(GuestMemory memory, long[] arguments) {
        return fill(memory, (int) arguments[0], (int) arguments[1]) ? 0 : -1;
    }

    /** Writes random bytes; false when more are asked for than there are at once. */
    static boolean fill(GuestMemory memory, int address, int length) {
        if (Integer.compareUnsigned(length, MOST_RANDOM) > 0) {
            return false;
        }
        memory.write(
                address,
                length,
                () -> {
                    byte[] bytes = new byte[length];
                    RANDOM.nextBytes(bytes);
                    return bytes;
                });
        return true;
    }
}
