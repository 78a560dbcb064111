package palyra.sandbox.posix.internal.life;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.sandbox.posix.internal.cgroup.Group;
import palyra.sandbox.posix.internal.kernel.Confinement;
import palyra.sandbox.posix.internal.kernel.OpenedThread;
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
final class Starter {
    private final Workshop shop;
    private final LaunchPlan plan;
    private final Mark mark;
    private final String program;
    private Optional<Stage> stage = Optional.empty();
    private Optional<OpenedThread> confined = Optional.empty();

    Starter(Workshop shop, LaunchPlan plan, Mark mark) {
        this.shop = shop;
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
     * Begins to make a restricted thread ready, if one is needed, while the rest is prepared. Only
     * for platform threads.
     */
    void open() {
        if (shop.spawns() && Confinement.needed(plan)) {
            confined = Optional.of(shop.confinement().open(plan, dependsOnItsThread()));
        }
    }

    /** Ends what was opened when nothing was started. */
    void giveUp() {
        confined.ifPresent(OpenedThread::close);
    }

    /** Returns what follows the processes, once; empty when there are no restrictions. */
    Optional<OpenedThread.Watch> watch() {
        return confined.map(OpenedThread::watch);
    }

    /**
     * Starts it. Only for platform threads. The streams stay the caller's.
     *
     * @throws PalyraException when nothing was started
     */
    Child start(Streams streams) {
        List<byte[]> command = bytes(plan.argv());
        byte[] folder = Descriptors.bytes(plan.workingFolder(), "The working folder");
        shop.programs().check(command.get(0), program);
        try (StartFolder start = shop.confinement().startFolder(plan)) {
            if (start.place() < 0) {
                shop.programs().checkFolder(folder, plan.workingFolder());
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
        try (PosixSpawn spawn = new PosixSpawn(shop.libc(), shop.attributes(), spawning)) {
            begin(spawn, start);
            child = new SpawnedChild(shop.libc(), spawn.pid());
        }
        streams.started();
        letGo(child, streams);
        confined.ifPresent(OpenedThread::refill);
        return child;
    }

    /** What posix_spawn(3) executes: a path, and what that gets. */
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
    private void letGo(Child child, Streams streams) {
        if (confined.isEmpty() || dependsOnItsThread()) {
            return;
        }
        if (!confined.get().threadIsGone()) {
            child.killGroup();
            child.reap();
            throw new PalyraException(
                    ErrorCode.INTERNAL,
                    "The thread that started " + program + " did not end, so it was not let go.");
        }
        streams.openGate();
    }

    /** To be called when the process has ended: gives back what a thread that stayed has used. */
    void ended() {
        if (dependsOnItsThread()) {
            confined.ifPresent(OpenedThread::threadIsGone);
        }
    }

    private boolean needsStage(Streams streams) {
        return !plan.rlimits().equals(new Rlimits(0, 0, 0, 0, 0))
                || !streams.doors().isEmpty()
                || streams.gate() >= 0
                || shop.hard().get(Limit.CORE) != 0;
    }

    private Execution staged(List<byte[]> command, Streams streams) {
        if (!shop.shell().usable()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "The limits of a command are set by "
                            + ShellProbe.SHELL
                            + ", and "
                            + shop.shell().problem());
        }
        Stage made =
                Stage.of(
                        shop.shell(),
                        plan.rlimits(),
                        shop.hard()::get,
                        streams.doors(),
                        streams.gate(),
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

    /** Returns what the launcher alone knows of what is enforced. */
    static String facts(Workshop shop, LaunchPlan plan, Optional<Group> group, boolean confirmed) {
        List<String> leftOut = shop.confinement().leftOut(plan);
        String kill = shop.libc().os().linux() ? "marker" : "process-group";
        kill = group.isPresent() ? "cgroup" : kill;
        kill = plan.statusDescriptor() != 0 ? "child-pid," + kill : kill;
        kill = confirmed ? kill + ",confirmed" : kill;
        return " spawn="
                + (shop.spawns() ? "posix_spawn" : "process_builder")
                + " cgroup="
                + group.map(Group::words).orElse("none")
                + " kill="
                + kill
                + (leftOut.isEmpty() ? "" : " landlock_left_out=" + String.join(",", leftOut));
    }
}
