package palyra.sandbox.posix.internal.spawn;

import com.sun.jna.Function;
import com.sun.jna.Pointer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * A prepared posix_spawn(3): a session of its own, exactly the planned descriptors, an empty signal
 * mask and default signals. Preparing and starting may happen on two threads; starting allocates
 * nothing and loads no class, so it may happen on a restricted thread.
 */
public final class PosixSpawn implements AutoCloseable {
    private static final int SET_SIGNAL_DEFAULTS = 0x04;
    private static final int SET_SIGNAL_MASK = 0x08;
    private static final int NEW_SESSION_LINUX = 0x80;
    private static final int NEW_SESSION_MAC = 0x0400;
    private static final int CLOSE_ALL_MAC = 0x4000;

    private final Libc libc;
    private final Arena arena = new Arena();
    private final Pointer actions = arena.zeros(256); // 80 bytes in glibc, a pointer on macOS
    private final Pointer attributes = arena.zeros(512); // 336 bytes in glibc, a pointer on macOS
    private final Pointer pid = arena.zeros(8);
    private final Function spawn;
    private final Object[] arguments;

    /** Prepares it. Close it afterwards, whether it was started or not. */
    public PosixSpawn(Libc libc, SpawnPlan plan) {
        this.libc = libc;
        spawn = libc.function("posix_spawn");
        need(call("posix_spawn_file_actions_init", actions));
        need(call("posix_spawnattr_init", attributes));
        Pointer argv = arena.strings(plan.argv());
        Pointer environment = arena.strings(plan.environment());
        try {
            addActions(plan);
            addAttributes();
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
        arguments = new Object[] {pid, argv.getPointer(0), actions, attributes, argv, environment};
    }

    /** Returns whether the C library has what this needs. */
    public static boolean available(Libc libc) {
        return libc.has("posix_spawn")
                && libc.has("posix_spawn_file_actions_addchdir_np")
                && (!libc.os().linux() || libc.has("posix_spawn_file_actions_addclosefrom_np"));
    }

    private void addActions(SpawnPlan plan) {
        Duplications duplications = Duplications.of(plan.descriptors());
        for (Duplications.Step step : duplications.steps()) {
            need(call("posix_spawn_file_actions_adddup2", actions, step.from(), step.to()));
        }
        if (libc.os().linux()) {
            for (int hole : duplications.holes()) {
                need(call("posix_spawn_file_actions_addclose", actions, hole));
            }
            need(call("posix_spawn_file_actions_addclosefrom_np", actions, duplications.first()));
        }
        need(call("posix_spawn_file_actions_addchdir_np", actions, arena.string(plan.folder())));
    }

    private void addAttributes() {
        Pointer none = arena.zeros(128);
        Pointer all = arena.zeros(128);
        Libc.plain(libc.function("sigemptyset"), none);
        Libc.plain(libc.function("sigfillset"), all);
        need(call("posix_spawnattr_setsigmask", attributes, none));
        need(call("posix_spawnattr_setsigdefault", attributes, all));
        int session = libc.os().linux() ? NEW_SESSION_LINUX : NEW_SESSION_MAC | CLOSE_ALL_MAC;
        int flags = session | SET_SIGNAL_MASK | SET_SIGNAL_DEFAULTS;
        need(call("posix_spawnattr_setflags", attributes, flags));
    }

    private int call(String function, Object... arguments) {
        return Libc.plain(libc.function(function), arguments);
    }

    private static void need(int errno) {
        if (errno != 0) {
            throw new PalyraException(
                    errno == Errno.ENOMEM ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.INTERNAL,
                    "A process could not be prepared: " + Errno.words(errno) + ".");
        }
    }

    /** Starts it; returns 0 or the error number, also that of the execution. */
    public int start() {
        return spawn.invokeInt(arguments);
    }

    /** Returns the id of the process, after {@link #start} has returned 0. */
    public int pid() {
        return pid.getInt(0);
    }

    @Override
    public void close() {
        call("posix_spawn_file_actions_destroy", actions);
        call("posix_spawnattr_destroy", attributes);
        arena.close();
    }
}
