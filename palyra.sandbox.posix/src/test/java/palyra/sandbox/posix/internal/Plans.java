package palyra.sandbox.posix.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.GroupLimits;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.Opened;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.api.core.sandbox.SandboxProcess;

/** Builds launch plans for tests. */
public final class Plans {
    private final List<String> argv;
    private final Map<String, String> environment =
            new TreeMap<>(Map.of("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"));
    private final List<Passed> passed = new ArrayList<>();
    private final List<Opened> opened = new ArrayList<>();
    private String callId = "call";
    private String folder;
    private Rlimits rlimits = new Rlimits(0, 0, 0, 0, 0);
    private GroupLimits group;
    private Landlock landlock;
    private byte[] seccomp;
    private int status;
    private boolean stdin;
    private SandboxProcess within;

    private Plans(List<String> argv) {
        this.argv = argv;
    }

    /** A command. */
    public static Plans of(String... argv) {
        return new Plans(List.of(argv));
    }

    /** A shell script. */
    public static Plans sh(String script) {
        return of("/bin/sh", "-c", script);
    }

    public Plans in(Path where) {
        folder = where.toString();
        return this;
    }

    public Plans callId(String id) {
        callId = id;
        return this;
    }

    public Plans env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    public Plans noEnvironment() {
        environment.clear();
        return this;
    }

    public Plans limits(Rlimits limits) {
        rlimits = limits;
        return this;
    }

    public Plans group(long memory, int processes, boolean required) {
        group = new GroupLimits(memory, processes, required);
        return this;
    }

    public Plans landlock(Landlock rules) {
        landlock = rules;
        return this;
    }

    public Plans seccomp(byte[] filter) {
        seccomp = filter;
        return this;
    }

    public Plans pass(int descriptor, byte[] content) {
        passed.add(new Passed(descriptor, content));
        return this;
    }

    public Plans open(int descriptor, Path place) {
        opened.add(new Opened(descriptor, place.toString()));
        return this;
    }

    public Plans status(int descriptor) {
        status = descriptor;
        return this;
    }

    /** Enters the sandbox of a process. */
    public Plans within(SandboxProcess holder) {
        within = holder;
        return this;
    }

    public Plans stdin() {
        stdin = true;
        return this;
    }

    public LaunchPlan plan() {
        return new LaunchPlan(
                callId,
                argv,
                environment,
                folder == null ? "/tmp" : folder,
                rlimits,
                Optional.ofNullable(group),
                Optional.ofNullable(landlock),
                Optional.ofNullable(seccomp),
                passed,
                opened,
                status,
                stdin,
                Optional.ofNullable(within),
                "none tier=test");
    }
}
