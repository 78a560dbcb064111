package palyra.testing.sandbox;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.api.core.sandbox.SandboxProcess.Usage;

/**
 * What only a cgroup bounds: processes, memory and processor time of all processes of a command
 * together. The JVM has to run in {@link CgroupRules}.
 */
public final class LimitRules {
    /** Each command is within the limits of one process; together they are beyond. */
    private static final List<Abuse> BOUNDED =
            List.of(
                    Abuse.of(
                            "pr05_fork_300",
                            "i=0; while [ $i -lt 300 ]; do sleep 60 & i=$((i+1)); done 2>/dev/null",
                            "i=0; while [ $i -lt 300 ]; do sleep 1 & i=$((i+1)); done; wait"),
                    Abuse.of(
                            "L10_fork_bomb",
                            "f() { [ $1 -gt 8 ] && exec sleep 30; n=$(($1+1)); f $n & f $n; wait; };"
                                    + " (f 0) 2>err & i=0; while [ $i -lt 120 ]; do"
                                    + " grep -qi fork err && exit 1; sleep 0.1; i=$((i+1)); done",
                            "f() { [ $1 -gt 8 ] && exec sleep 0.2; n=$(($1+1)); f $n & f $n; wait;"
                                    + " }; f 0 2>err; ! grep -qi fork err"),
                    Abuse.of(
                            "L08_memory_together",
                            "for i in 1 2 3; do ./memb 200 2 >m$i & done; wait;"
                                    + " [ \"$(cat m1 m2 m3 | grep -c 'got 200')\" = 3 ]"));

    private static final long BURN_MILLIS = 1_500;
    private static final String BURNERS =
            "while :; do sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; done";

    private final SandboxBackend backend;
    private final Attempts attempts;
    private final Path workspace;

    /** Tries in one workspace. */
    public LimitRules(SandboxBackend backend, SandboxTestBed stand, Path workspace) {
        this.backend = backend;
        this.attempts = new Attempts(backend, stand);
        this.workspace = workspace;
    }

    /** Runs everything and prints as {@link Attempts} does. */
    public void all(String mode) throws Exception {
        attempts.all(mode, Egress.STRICT, Optional.empty(), workspace, BOUNDED);
        one(mode);
        burners(mode);
    }

    /** One of the three that do not fit together. */
    private void one(String mode) throws Exception {
        List<String> argv = List.of("/bin/sh", "-c", "./memb 200 1");
        try (SandboxProcess process =
                backend.start(attempts.spec(Egress.STRICT, Optional.empty(), workspace, argv))) {
            ProcessEnd ending = ProcessEnd.of(process, 30_000);
            ProcessLifeRules.say(mode, "L08_one_fits", ending.output().equals("got 200\n"), ending);
            ProcessLifeRules.say(
                    mode,
                    "a_cgroup_bounds",
                    process.enforcement().contains("cgroup=v"),
                    new ProcessEnd(true, 0, process.enforcement(), ""));
        }
    }

    /** pr10, L07: the command's supervisor sees the time of all its short processes. */
    private void burners(String mode) throws Exception {
        List<String> argv = List.of("/bin/sh", "-c", BURNERS);
        try (SandboxProcess process =
                backend.start(attempts.spec(Egress.STRICT, Optional.empty(), workspace, argv))) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
            Usage usage = process.usage();
            while (usage.cpuMillis() < BURN_MILLIS && System.nanoTime() - deadline < 0) {
                process.await(20);
                usage = process.usage();
            }
            process.kill();
            boolean ended = process.await(30_000).isPresent();
            ProcessLifeRules.say(
                    mode,
                    "pr10_cpu_multi",
                    ended && usage.wholeTree() && usage.cpuMillis() >= BURN_MILLIS,
                    new ProcessEnd(true, 0, usage.toString(), process.enforcement()));
        }
    }
}
