package palyra.sandbox.posix.internal.process;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.sandbox.posix.internal.cgroup.Cgroup;
import palyra.sandbox.posix.internal.kernel.ConfinedThread;
import palyra.sandbox.posix.internal.kernel.Confinement;
import palyra.sandbox.posix.internal.kernel.StartFolder;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Limit;
import palyra.sandbox.posix.internal.spawn.PosixSpawn;
import palyra.sandbox.posix.internal.spawn.Programs;
import palyra.sandbox.posix.internal.spawn.ShellProbe;
import palyra.sandbox.posix.internal.spawn.SpawnPlan;
import palyra.sandbox.posix.internal.spawn.Stage;

/**
 * Starts one process by posix_spawn(3), with or without a stage that sets limits, and kernel
 * restrictions.
 */
final class PosixSpawnStarter {
    private final LaunchContext context;
    private final LaunchPlan plan;
    private final Mark mark;
    private final String program;
    private Optional<Stage> stage = Optional.empty();
    private Optional<ConfinedThread> confined = Optional.empty();

    PosixSpawnStarter(LaunchContext context, LaunchPlan plan, Mark mark) {
        this.context = context;
        this.plan = plan;
        this.mark = mark;
        this.program = plan.argv().get(0);
    }

    /** Returns the stage that was used. */
    Optional<Stage> stage() {
        return stage;
    }

    /**
     * Returns whether the process ends when the thread does that starts it: the first process of a
     * sandbox with a pid namespace.
     */
    boolean dependsOnItsThread() {
        return plan.statusDescriptor() != 0;
    }

    /**
     * Starts to prepare a restricted thread, if one is needed, while the caller prepares the rest.
     * Only for platform threads.
     */
    void open() {
        if (context.spawns() && Confinement.needed(plan)) {
            confined = Optional.of(context.confinement().open(plan, dependsOnItsThread()));
        }
    }

    /** Ends the restricted thread when nothing was started. */
    void giveUp() {
        confined.ifPresent(ConfinedThread::close);
    }

    /** Returns what watches the processes, once; empty without restrictions. */
    Optional<ConfinedThread.Watch> watch() {
        return confined.map(ConfinedThread::watch);
    }

    /**
     * Starts the process. Only for platform threads. The caller keeps the streams.
     *
     * @throws PalyraException when nothing was started
     */
    Child start(Streams streams) {
        List<byte[]> command = bytes(plan.argv());
        byte[] folder = Descriptors.bytes(plan.workingFolder(), "The working folder");
        context.programs().check(command.get(0), program);
        try (StartFolder start = context.confinement().startFolder(plan)) {
            if (start.place() < 0) {
                context.programs().checkFolder(folder, plan.workingFolder());
            }
            return start(streams, command, folder, start);
        }
    }

    private Child start(Streams streams, List<byte[]> command, byte[] folder, StartFolder start) {
        Execution execution =
                needsStage(streams)
                        ? staged(command, streams)
                        : new Execution(command.get(0), command);
        SpawnPlan spawning =
                new SpawnPlan(
                        execution.program(),
                        execution.argv(),
                        Environment.of(plan.environment(), mark),
                        folder,
                        start.place(),
                        streams.descriptors());
        Child child;
        try (PosixSpawn spawn = new PosixSpawn(context.libc(), context.attributes(), spawning)) {
            begin(spawn, start);
            child = new SpawnedChild(context.libc(), spawn.pid());
        }
        streams.started();
        releaseChild(child, streams);
        confined.ifPresent(ConfinedThread::refill);
        return child;
    }

    /** What posix_spawn(3) executes: a path and its arguments. */
    private record Execution(byte[] program, List<byte[]> argv) {}

    private void begin(PosixSpawn spawn, StartFolder start) {
        String executed = stage.isPresent() ? ShellProbe.SHELL + " for " + program : program;
        if (confined.isPresent()) {
            confined.get().start(spawn, executed, start);
            return;
        }
        int errno = spawn.start();
        if (errno != 0) {
            throw Programs.refusal(errno, executed);
        }
    }

    /** The process may become the command once the thread that has started it is gone. */
    private void releaseChild(Child child, Streams streams) {
        if (confined.isEmpty() || dependsOnItsThread()) {
            return;
        }
        if (!confined.get().threadIsGone()) {
            child.killGroup();
            child.reap();
            throw new PalyraException(
                    ErrorCode.INTERNAL,
                    "The thread that started "
                            + program
                            + " did not end within 10 seconds, so the command was killed before it"
                            + " ran.");
        }
        streams.sendStartSignal();
    }

    /** Call when the process has ended: frees the resources of a thread that stayed. */
    void ended() {
        if (dependsOnItsThread()) {
            confined.ifPresent(ConfinedThread::threadIsGone);
        }
    }

    private boolean needsStage(Streams streams) {
        return !plan.rlimits().equals(new Rlimits(0, 0, 0, 0, 0))
                || !streams.cgroupDescriptors().isEmpty()
                || streams.startSignal() >= 0
                || context.hard().get(Limit.CORE) != 0;
    }

    private Execution staged(List<byte[]> command, Streams streams) {
        if (!context.shell().usable()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The limits of a command are set by "
                            + ShellProbe.SHELL
                            + ", and "
                            + context.shell().problem());
        }
        Stage made =
                Stage.of(
                        context.shell(),
                        plan.rlimits(),
                        context.hard()::get,
                        streams.cgroupDescriptors(),
                        streams.startSignal(),
                        0);
        stage = Optional.of(made);
        List<byte[]> argv = new ArrayList<>(command.size() + 4);
        for (String word : List.of(ShellProbe.SHELL, "-c", made.script(), "palyra")) {
            argv.add(word.getBytes(StandardCharsets.US_ASCII));
        }
        argv.addAll(command);
        return new Execution(argv.get(0), argv);
    }

    private static List<byte[]> bytes(List<String> argv) {
        List<byte[]> all = new ArrayList<>(argv.size());
        for (int i = 0; i < argv.size(); i++) {
            all.add(Descriptors.bytes(argv.get(i), "Argument " + i + " of the command"));
        }
        return all;
    }

    /** Returns the part of the enforcement that only the launcher knows. */
    static String facts(
            LaunchContext context, LaunchPlan plan, Optional<Cgroup> group, boolean confirmed) {
        List<String> leftOut = context.confinement().leftOut(plan);
        String kill = context.libc().os().linux() ? "marker" : "process-group";
        kill = group.isPresent() ? "cgroup" : kill;
        boolean within = plan.within().isPresent();
        kill = plan.statusDescriptor() != 0 && !within ? "child-pid," + kill : kill;
        kill = confirmed ? kill + ",confirmed" : kill;
        return " spawn="
                + (context.spawns() ? "posix_spawn" : "process_builder")
                + " cgroup="
                + group.map(Cgroup::words).orElse(within ? "shared" : "none")
                + " kill="
                + kill
                + (leftOut.isEmpty() ? "" : " landlock_left_out=" + String.join(",", leftOut));
    }
}
