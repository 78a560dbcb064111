package palyra.sandbox.posix.internal.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.sandbox.posix.internal.cgroup.Cgroup;
import palyra.sandbox.posix.internal.kernel.Confinement;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.spawn.Programs;
import palyra.sandbox.posix.internal.spawn.ShellProbe;
import palyra.sandbox.posix.internal.spawn.Stage;

/**
 * Starts one process by ProcessBuilder, where the C library lacks what {@link PosixSpawnStarter}
 * needs. It can set limits and cgroups. It cannot restrict a thread (the JDK would leave restricted
 * threads to other work), pass descriptors, or pass arguments that the JVM's locale cannot encode.
 */
final class ProcessBuilderStarter {
    private static final List<String> SETSID = List.of("/usr/bin/setsid", "/bin/setsid");

    private final LaunchContext context;
    private final LaunchPlan plan;
    private final Mark mark;

    ProcessBuilderStarter(LaunchContext context, LaunchPlan plan, Mark mark) {
        this.context = context;
        this.plan = plan;
        this.mark = mark;
    }

    /**
     * Throws TOOL_UNAVAILABLE or INVALID_ARGUMENT for a plan that ProcessBuilder cannot enforce.
     */
    static void check(LaunchPlan plan) {
        if (Confinement.needed(plan)
                || !plan.passed().isEmpty()
                || !plan.opened().isEmpty()
                || plan.statusDescriptor() != 0) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "This C library lacks functions of posix_spawn that a sandbox with kernel"
                            + " restrictions needs; use glibc 2.34 or newer.");
        }
        boolean everyByte = "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding", ""));
        boolean ascii =
                StandardCharsets.US_ASCII.newEncoder().canEncode(String.join("", plan.argv()))
                        && StandardCharsets.US_ASCII
                                .newEncoder()
                                .canEncode(plan.workingFolder() + plan.environment());
        if (!everyByte && !ascii) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The command has characters that the gateway's locale cannot write; start the"
                            + " gateway with LC_ALL=C.UTF-8.");
        }
    }

    /** Starts the process; the caller keeps the streams. */
    Child start(Streams streams, Optional<Cgroup> group) {
        for (String argument : plan.argv()) {
            Descriptors.bytes(argument, "An argument of the command");
        }
        byte[] program = Descriptors.bytes(plan.argv().get(0), "The program");
        byte[] folder = Descriptors.bytes(plan.workingFolder(), "The working folder");
        context.programs().check(program, plan.argv().get(0));
        context.programs().checkFolder(folder, plan.workingFolder());
        List<String> joinFiles = group.map(Cgroup::joinFiles).orElse(List.of());
        Stage stage =
                Stage.of(
                        context.shell(),
                        plan.rlimits(),
                        context.hard()::get,
                        List.of(),
                        -1,
                        joinFiles.size());
        List<String> command = new ArrayList<>();
        command.addAll(List.of(setsid(), ShellProbe.SHELL, "-c", stage.script(), "palyra"));
        command.addAll(joinFiles);
        command.addAll(plan.argv());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(new File(plan.workingFolder()));
        builder.environment().clear();
        for (byte[] variable : Environment.of(plan.environment(), mark)) {
            String text = new String(variable, StandardCharsets.UTF_8);
            int at = text.indexOf('=');
            builder.environment().put(text.substring(0, at), text.substring(at + 1));
        }
        Map<Integer, Integer> theirs = streams.descriptors();
        builder.redirectInput(device(theirs.get(0)));
        builder.redirectOutput(device(theirs.get(1)));
        builder.redirectError(device(theirs.get(2)));
        try {
            Process process = builder.start();
            streams.started();
            return new JdkChild(context.libc(), process);
        } catch (IOException refused) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    plan.argv().get(0) + " could not be started: " + refused.getMessage() + ".",
                    refused);
        }
    }

    private static File device(int descriptor) {
        return new File("/dev/fd/" + descriptor);
    }

    private static String setsid() {
        for (String path : SETSID) {
            if (new File(path).canExecute()) {
                return path;
            }
        }
        throw Programs.refusal(Errno.ENOENT, SETSID.get(0));
    }
}
