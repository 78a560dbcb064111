package palyra.sandbox.posix.internal.supervise;

import com.sun.jna.Pointer;
import java.util.Set;
import java.util.function.BooleanSupplier;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;

/**
 * Gives sockets of a command addresses of loopback. Landlock knows ports and no addresses, so it
 * refuses each bind(2) for TCP; a supervisor, which has no such restriction, makes those that reach
 * no other host, on a duplicate of the socket and with the address that it has read. Every other
 * one is left to the caller, whom Landlock holds. For one thread.
 */
final class LoopbackBinds {
    private static final int MOST_BYTES = 128; // struct sockaddr_storage
    private static final int IPV4 = 2;
    private static final int IPV4_BYTES = 16;
    private static final int IPV6 = 10;
    private static final int IPV6_BYTES = 24; // without the scope, as the kernel takes it
    private static final int FIRST_FREE_PORT = 1_024; // those below need a capability

    private final Libc libc;
    private final Caller caller;
    private final CallerMemory memory;
    private final Set<Integer> ports;
    private final Pointer address;

    /**
     * Creates it.
     *
     * @param ports that may be used; empty when the caller's own restrictions decide all
     */
    LoopbackBinds(Libc libc, Arena arena, Caller caller, CallerMemory memory, Set<Integer> ports) {
        this.libc = libc;
        this.caller = caller;
        this.memory = memory;
        this.ports = ports;
        address = arena.zeros(MOST_BYTES);
    }

    /** Makes a call of the selected caller; its result, or {@link Notification#BY_CALLER}. */
    long make(Notification call, BooleanSupplier waits) throws CallFailure {
        long length = Integer.toUnsignedLong(call.number(2));
        if (ports.isEmpty() || length < IPV4_BYTES || length > MOST_BYTES) {
            return Notification.BY_CALLER;
        }
        memory.copy(call.thread(), call.argument(1), address, length);
        if (!isLoopback(length) || !isFree(port())) {
            return Notification.BY_CALLER;
        }
        int socket = caller.duplicate(call.number(0));
        try {
            return waits.getAsBoolean()
                    ? libc.system(LinuxCall.BIND, socket, Pointer.nativeValue(address), length)
                    : Notification.BY_CALLER;
        } finally {
            libc.close(socket);
        }
    }

    private int port() {
        return (address.getByte(2) & 0xff) << 8 | address.getByte(3) & 0xff;
    }

    private boolean isFree(int port) {
        return port == 0 || (port >= FIRST_FREE_PORT && ports.contains(port));
    }

    private boolean isLoopback(long length) {
        int family = Short.toUnsignedInt(address.getShort(0));
        if (family == IPV4) {
            return address.getByte(4) == 127;
        }
        return family == IPV6 && length >= IPV6_BYTES && (isOne() || isMapped());
    }

    /** {@code ::1}. */
    private boolean isOne() {
        return isZero(8, 23) && address.getByte(23) == 1;
    }

    /** {@code ::ffff:127.0.0.0} and following. */
    private boolean isMapped() {
        return isZero(8, 18)
                && address.getByte(18) == -1
                && address.getByte(19) == -1
                && address.getByte(20) == 127;
    }

    private boolean isZero(int from, int to) {
        for (int at = from; at < to; at++) {
            if (address.getByte(at) != 0) {
                return false;
            }
        }
        return true;
    }
}
