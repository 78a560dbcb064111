package palyra.sandbox.posix.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import palyra.sandbox.posix.internal.libc.Os;

/** Small seccomp filters for tests; see {@code linux/bpf_common.h}. */
public final class Filters {
    private Filters() {}

    /** Refuses one system call with EPERM. */
    public static byte[] refusing(int intel, int arm) {
        int call = Os.here().arm() ? arm : intel;
        ByteBuffer program = ByteBuffer.allocate(4 * 8).order(ByteOrder.nativeOrder());
        put(program, 0x20, 0, 0, 0); // load the number
        put(program, 0x15, 0, 1, call); // equal?
        put(program, 0x06, 0, 0, 0x0005_0001); // EPERM
        put(program, 0x06, 0, 0, 0x7fff_0000); // allow
        return program.array();
    }

    private static void put(ByteBuffer program, int code, int then, int otherwise, int value) {
        program.putShort((short) code).put((byte) then).put((byte) otherwise).putInt(value);
    }
}
