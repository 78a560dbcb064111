package palyra.sandbox.posix.internal.spawn;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Limit;

/**
 * The shell script that a process runs before it becomes the command: it joins cgroups, waits for
 * the start signal, sets limits and executes the command. It consists of constants and numbers; the
 * command comes as arguments of the shell. Cgroups are joined through open descriptors, because the
 * file system may be out of reach by then; they are closed before the command.
 *
 * <p>When the shell ends without having become the command, it first sets its soft limit of the
 * data segment to a secret number. A process that has ended but is not yet reaped still shows its
 * limits, so a failed execution cannot be confused with a command that ends with code 126 or 127,
 * and a command cannot pretend never to have run.
 *
 * @param script the script
 * @param secret the number, in bytes, as {@code /proc/PID/limits} shows it
 */
public record Stage(String script, long secret) {
    /** A limit could not be set. */
    static final int NO_LIMIT = 121;

    /** A cgroup could not be joined. */
    static final int NO_CGROUP = 122;

    /** The start signal never came. */
    static final int NO_START_SIGNAL = 123;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long LEAST_SECRET_KIB = 1L << 24; // 16 GiB: more than a shell needs
    private static final long MOST_SECRET_KIB = 1L << 40;

    /**
     * Builds a stage.
     *
     * @param shell the dialect
     * @param limits what to set; reduced to the hard limits of this process
     * @param hard hard limits of this process, -1 for none
     * @param cgroupDescriptors descriptors of cgroups to join, single digits
     * @param startSignal descriptor that brings the start signal, a single digit; -1 for none
     * @param paths how many arguments before the command are paths of cgroups to join
     * @throws PalyraException TOOL_UNAVAILABLE when the shell cannot set one of the limits
     */
    public static Stage of(
            ShellDialect shell,
            Rlimits limits,
            ToLongFunction<Limit> hard,
            List<Integer> cgroupDescriptors,
            int startSignal,
            int paths) {
        long secret = secretKib(hard);
        StringBuilder script = new StringBuilder(512);
        String showSecret = "ulimit -S -d " + secret;
        script.append("trap '").append(showSecret).append("' EXIT; unset PWD OLDPWD SHLVL; ");
        if (shell.bash()) {
            script.append("shopt -s execfail; ");
        }
        for (int descriptor : cgroupDescriptors) {
            script.append("echo $$ >&").append(descriptor).append(or(NO_CGROUP));
        }
        for (int i = 0; i < paths; i++) {
            script.append("echo $$ >\"$1\"").append(or(NO_CGROUP)).append("shift; ");
        }
        if (startSignal >= 0) {
            script.append("IFS= read -r go <&").append(startSignal).append(or(NO_START_SIGNAL));
            script.append("[ \"$go\" = go ]").append(or(NO_START_SIGNAL));
        }
        close(script, cgroupDescriptors, startSignal);
        limits(shell, limits, hard).forEach(one -> script.append(one).append(or(NO_LIMIT)));
        script.append("exec \"$@\"; code=$?; ").append(showSecret).append("; exit $code");
        return new Stage(script.toString(), secret << 10);
    }

    private static long secretKib(ToLongFunction<Limit> hard) {
        long mostData = hard.applyAsLong(Limit.DATA);
        long bound = mostData < 0 ? MOST_SECRET_KIB : Math.min(mostData >> 10, MOST_SECRET_KIB);
        long least = Math.min(LEAST_SECRET_KIB, bound / 2);
        return least + (RANDOM.nextLong() >>> 1) % Math.max(1, bound - least);
    }

    private static String or(int code) {
        return " || exit " + code + "; ";
    }

    private static void close(
            StringBuilder script, List<Integer> cgroupDescriptors, int startSignal) {
        if (startSignal >= 0) {
            script.append("exec ").append(startSignal).append("<&-; ");
        }
        for (int descriptor : cgroupDescriptors) {
            script.append("exec ").append(descriptor).append(">&-; ");
        }
    }

    private static List<String> limits(
            ShellDialect shell, Rlimits limits, ToLongFunction<Limit> hard) {
        List<String> all = new ArrayList<>();
        all.add("ulimit -c 0");
        if (limits.cpuSeconds() > 0) {
            long most = cut(limits.cpuSeconds() + 1, Limit.CPU, hard);
            all.add("ulimit -S -t " + Math.min(limits.cpuSeconds(), most));
            all.add("ulimit -H -t " + most);
        }
        add(all, "-f", cut(limits.fileBytes(), Limit.FILE, hard), shell.fileBlock());
        if (limits.processes() > 0) {
            long processes = cut(limits.processes(), Limit.PROCESSES, hard);
            add(all, processFlag(shell), processes, 1);
        }
        add(all, "-n", cut(limits.openFiles(), Limit.FILES, hard), 1);
        add(all, "-v", cut(limits.addressSpaceBytes(), Limit.MEMORY, hard), 1024);
        return all;
    }

    private static String processFlag(ShellDialect shell) {
        if (shell.processFlag().isEmpty()) {
            throw new PalyraException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    ShellProbe.SHELL
                            + " cannot limit the number of processes; make it a link to dash or"
                            + " bash.");
        }
        return shell.processFlag();
    }

    private static void add(List<String> all, String flag, long value, int unit) {
        if (value > 0) {
            all.add("ulimit " + flag + " " + Math.max(1, value / unit));
        }
    }

    private static long cut(long value, Limit limit, ToLongFunction<Limit> hard) {
        long most = hard.applyAsLong(limit);
        return most < 0 ? value : Math.min(value, most);
    }

    /** Returns whether these limits, the content of {@code /proc/PID/limits}, show the secret. */
    public boolean failed(String shown) {
        return shown.lines()
                .filter(line -> line.startsWith("Max data size"))
                .anyMatch(line -> line.contains(" " + secret + " "));
    }

    /** Returns the message for the exit code of a failed stage. */
    public static String problem(int code, String program) {
        return switch (code) {
            case NO_LIMIT -> "A limit of the command could not be set, so it was not started.";
            case NO_CGROUP -> "The command could not join its cgroup, so it was not started.";
            case NO_START_SIGNAL ->
                    "The command got no start signal from the gateway, so it was not started.";
            case 127 ->
                    program
                            + " could not be executed: "
                            + Errno.words(Errno.ENOENT)
                            + ", or the interpreter that it names is missing.";
            default ->
                    program
                            + " could not be executed: the sandbox or its file mode forbids it,"
                            + " or it is not a program.";
        };
    }
}
