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
    private final Libc libc;
    private final Arena arena = new Arena();
    private final Pointer actions = arena.zeros(256); // 80 bytes in glibc, a pointer on macOS
    private final SpawnAttributes common;
    private final Pointer attributes;
    private final Pointer pid = arena.zeros(8);
    private final Function spawn;
    private final Object[] arguments;

    /** Prepares it. Close it afterwards, started or not. */
    public PosixSpawn(Libc libc, SpawnAttributes common, SpawnPlan plan) {
        this.libc = libc;
        this.common = common;
        attributes = common.in(arena);
        spawn = libc.function("posix_spawn");
        need(call("posix_spawn_file_actions_init", actions));
        Pointer argv = arena.strings(plan.argv());
        Pointer environment = arena.strings(plan.environment());
        try {
            addActions(plan);
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
        Pointer program = arena.string(plan.program());
        arguments = new Object[] {pid, program, actions, attributes, argv, environment};
    }

    /** Returns whether the C library has all functions that this needs. */
    public static boolean available(Libc libc) {
        return libc.has("posix_spawn")
                && libc.has("posix_spawn_file_actions_addchdir_np")
                && (!libc.os().linux() || libc.has("posix_spawn_file_actions_addfchdir_np"))
                && (!libc.os().linux() || libc.has("posix_spawn_file_actions_addclosefrom_np"));
    }

    private void addActions(SpawnPlan plan) {
        if (plan.place() >= 0) { // before its number can become another descriptor
            need(call("posix_spawn_file_actions_addfchdir_np", actions, plan.place()));
        }
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
        if (plan.place() < 0) {
            Pointer folder = arena.string(plan.folder());
            need(call("posix_spawn_file_actions_addchdir_np", actions, folder));
        }
    }

    private int call(String function, Object... arguments) {
        return Libc.plain(libc.function(function), arguments);
    }

    static void need(int errno) {
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
        common.destroy(attributes);
        arena.close();
    }
}
