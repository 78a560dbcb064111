package palyra.sandbox.posix.internal.supervise;

import com.sun.jna.Pointer;
import java.util.Set;
import java.util.function.BooleanSupplier;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.shared.seccomp.MetadataCall;

/**
 * Makes a waiting call for its caller, on the file or socket that its arguments named when they
 * were read, or refuses it with EACCES. For one thread.
 */
final class MetadataCalls {
    private static final int HERE = -100; // AT_FDCWD
    private static final int NAME_BYTES = 256; // XATTR_NAME_MAX and a NUL
    private static final long VALUE_BYTES = 65_536; // XATTR_SIZE_MAX

    private final Libc libc;
    private final Arena arena;
    private final Roots roots;
    private final CallerMemory memory;
    private final Caller caller;
    private final Effects effects;
    private final LoopbackBinds binds;
    private final Times times;
    private final Pointer attribute;
    private Pointer value; // null until it is needed, which is rare

    MetadataCalls(Libc libc, Arena arena, Roots roots, Set<Integer> ports) {
        this.libc = libc;
        this.arena = arena;
        this.roots = roots;
        memory = new CallerMemory(libc, arena);
        caller = new Caller(libc, arena, memory);
        effects = new Effects(libc, arena);
        binds = new LoopbackBinds(libc, arena, caller, memory, ports);
        times = new Times(arena, memory);
        attribute = arena.zeros(NAME_BYTES + 1);
    }

    /** The change that a call makes to the file that it names. */
    private interface Effect {
        long on(int opened) throws CallFailure;
    }

    /**
     * Makes a call.
     *
     * @param waits checked right before the effect: whether the call still waits, so that the
     *     caller is the thread whose arguments were read
     * @return its result, or the negated error number
     */
    long make(MetadataCall what, Notification call, BooleanSupplier waits) {
        try {
            caller.select(call.thread());
            if (what == MetadataCall.BIND) {
                return binds.make(call, waits);
            }
            Effect effect = effect(what, call, waits);
            int opened = target(what, call);
            try {
                return effect.on(opened);
            } finally {
                libc.close(opened);
            }
        } catch (CallFailure failed) {
            return -failed.errno();
        }
    }

    private int target(MetadataCall what, Notification call) throws CallFailure {
        return switch (what) {
            case CHMOD, CHOWN, UTIME, UTIMES, SETXATTR, REMOVEXATTR ->
                    caller.path(call.argument(0));
            case LCHOWN, LSETXATTR, LREMOVEXATTR -> caller.linkPath(call.argument(0));
            case FCHMOD, FCHOWN, FSETXATTR, FREMOVEXATTR -> caller.descriptor(call.number(0));
            case FCHMODAT -> caller.path(call.number(0), call.argument(1), 0);
            case FCHMODAT2 -> caller.path(call.number(0), call.argument(1), flags(call, 3));
            case FCHOWNAT -> caller.path(call.number(0), call.argument(1), flags(call, 4));
            case FUTIMESAT -> timed(call, 0);
            case UTIMENSAT -> timed(call, flags(call, 3));
            case INOTIFY_ADD_WATCH -> watched(call);
            case BIND -> throw new CallFailure(Errno.EACCES); // names no file
        };
    }

    private static long flags(Notification call, int index) {
        return Integer.toUnsignedLong(call.number(index));
    }

    /** Without a path the times of the descriptor are set. */
    private int timed(Notification call, long flags) throws CallFailure {
        if (call.argument(1) != 0) {
            return caller.path(call.number(0), call.argument(1), flags);
        }
        if (call.number(0) == HERE) {
            throw new CallFailure(Errno.EFAULT);
        }
        return caller.descriptor(call.number(0));
    }

    private int watched(Notification call) throws CallFailure {
        boolean link = (call.number(2) & Effects.WATCH_LINK) != 0;
        return link ? caller.linkPath(call.argument(1)) : caller.path(call.argument(1));
    }

    /** Reads the arguments of a call and returns its effect. */
    private Effect effect(MetadataCall what, Notification call, BooleanSupplier waits)
            throws CallFailure {
        return switch (what) {
            case CHMOD, FCHMOD -> changing(waits, mode(call.number(1)));
            case FCHMODAT, FCHMODAT2 -> changing(waits, mode(call.number(2)));
            case CHOWN, LCHOWN, FCHOWN ->
                    changing(waits, owner(call.argument(1), call.argument(2)));
            case FCHOWNAT -> changing(waits, owner(call.argument(2), call.argument(3)));
            case UTIME -> changing(waits, times(times.seconds(call.thread(), call.argument(1))));
            case UTIMES -> changing(waits, times(times.micros(call.thread(), call.argument(1))));
            case FUTIMESAT -> changing(waits, times(times.micros(call.thread(), call.argument(2))));
            case UTIMENSAT -> changing(waits, times(times.nanos(call.thread(), call.argument(2))));
            case SETXATTR, LSETXATTR, FSETXATTR -> changing(waits, setting(call));
            case REMOVEXATTR, LREMOVEXATTR, FREMOVEXATTR -> changing(waits, removing(call));
            case INOTIFY_ADD_WATCH -> opened -> watch(opened, call, waits);
            case BIND -> throw new CallFailure(Errno.EACCES);
        };
    }

    /** Decides by the open file, which stays the same when its path leads elsewhere by now. */
    private Effect changing(BooleanSupplier waits, Effect effect) {
        return opened -> {
            if (!roots.mayChange(opened)) {
                throw new CallFailure(Errno.EACCES);
            }
            return waits.getAsBoolean() ? effect.on(opened) : -Errno.ESRCH;
        };
    }

    private Effect mode(int mode) {
        return opened -> effects.mode(opened, Integer.toUnsignedLong(mode));
    }

    private Effect owner(long user, long group) {
        return opened -> effects.owner(opened, user, group);
    }

    private Effect times(Pointer both) {
        return opened -> effects.times(opened, both);
    }

    private void readName(Notification call) throws CallFailure {
        int length =
                memory.text(call.thread(), call.argument(1), attribute, NAME_BYTES, Errno.ERANGE);
        if (length == 0) {
            throw new CallFailure(Errno.ERANGE);
        }
    }

    private Effect setting(Notification call) throws CallFailure {
        long length = call.argument(3);
        if (length < 0 || length > VALUE_BYTES) {
            throw new CallFailure(Errno.E2BIG);
        }
        readName(call);
        if (value == null) {
            value = arena.zeros(VALUE_BYTES);
        }
        memory.copy(call.thread(), call.argument(2), value, length);
        return opened -> effects.attribute(opened, attribute, value, length, flags(call, 4));
    }

    private Effect removing(Notification call) throws CallFailure {
        readName(call);
        return opened -> effects.noAttribute(opened, attribute);
    }

    private long watch(int opened, Notification call, BooleanSupplier waits) throws CallFailure {
        if (!roots.mayWatch(opened)) {
            throw new CallFailure(Errno.EACCES);
        }
        int watcher = caller.duplicate(call.number(0));
        try {
            return waits.getAsBoolean()
                    ? effects.watch(opened, watcher, call.number(2))
                    : -Errno.ESRCH;
        } finally {
            libc.close(watcher);
        }
    }
}
