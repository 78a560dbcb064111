package palyra.sandbox.posix.internal.process;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Opened;
import palyra.api.core.sandbox.LaunchPlan.Passed;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;

/**
 * The descriptors of a process: our ends, open until {@link #close}, and its ends, open here until
 * the process was started. Not thread-safe; its creator closes it once.
 */
public final class Streams {
    private static final int HIGHEST_SHELL_DIGIT = 9;

    private final Libc libc;
    private final Descriptors descriptors;
    private final Map<Integer, Integer> theirs = new TreeMap<>();
    private final List<Integer> cgroupDescriptors = new ArrayList<>();
    private final WakeupPipe wakeup;
    private PipeInput stdout;
    private PipeInput stderr;
    private PipeInput status;
    private OutputStream stdin = OutputStream.nullOutputStream();
    private int startSignal = -1;
    private int startSignalWriting = -1;

    /**
     * Opens them.
     *
     * @throws PalyraException RESOURCE_EXHAUSTED when the system has no descriptor left
     */
    public Streams(
            Libc libc,
            Descriptors descriptors,
            LaunchPlan plan,
            List<String> joinFiles,
            boolean waitsForSignal) {
        this.libc = libc;
        this.descriptors = descriptors;
        wakeup = new WakeupPipe(libc, descriptors);
        try {
            open(plan);
            for (String path : joinFiles) {
                int opened = descriptors.openForWriting(path);
                if (opened < 0) {
                    throw new PalyraException(
                            ErrorCode.TOOL_UNAVAILABLE,
                            path + " could not be opened: " + Errno.words(-opened) + ".");
                }
                cgroupDescriptors.add(free(opened));
            }
            if (waitsForSignal) {
                Descriptors.Pipe pipe = descriptors.pipe();
                startSignalWriting = pipe.writing();
                startSignal = free(pipe.reading());
            }
        } catch (RuntimeException failed) {
            started();
            close();
            throw failed;
        }
    }

    private void open(LaunchPlan plan) {
        if (plan.stdinPiped()) {
            Descriptors.Pipe pipe = descriptors.pipe();
            theirs.put(0, pipe.reading());
            stdin = new PipeOutput(libc, wakeup, pipe.writing());
        } else {
            theirs.put(0, descriptors.nullDevice(false));
            stdin = new NoInput();
        }
        stdout = output(1);
        stderr = output(2);
        for (Passed passed : plan.passed()) {
            put(passed.descriptor(), descriptors.reading(passed.content()));
        }
        for (Opened opened : plan.opened()) {
            put(opened.descriptor(), descriptors.place(opened.path()));
        }
        if (plan.statusDescriptor() != 0) {
            requireFree(plan.statusDescriptor());
            status = output(plan.statusDescriptor());
        }
    }

    private PipeInput output(int number) {
        Descriptors.Pipe pipe = descriptors.pipe();
        theirs.put(number, pipe.writing());
        return new PipeInput(libc, wakeup, pipe.reading());
    }

    private void put(int number, int source) {
        try {
            requireFree(number);
        } catch (RuntimeException taken) {
            libc.close(source);
            throw taken;
        }
        theirs.put(number, source);
    }

    private void requireFree(int number) {
        if (number < 3 || number > 255 || theirs.containsKey(number)) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Descriptor "
                            + number
                            + " cannot be passed: use each number from 3 to 255 once.");
        }
    }

    /** The shell knows single digits only. */
    private int free(int source) {
        for (int number = 3; number <= HIGHEST_SHELL_DIGIT; number++) {
            if (!theirs.containsKey(number)) {
                theirs.put(number, source);
                return number;
            }
        }
        libc.close(source);
        throw new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                "The command is passed too many descriptors: one below 10 must stay free for its"
                        + " limits.");
    }

    /** Returns descriptor numbers of the process, mapped to ours. */
    public Map<Integer, Integer> descriptors() {
        return new HashMap<>(theirs);
    }

    /** Returns the descriptors through which the process joins its cgroups. */
    public List<Integer> cgroupDescriptors() {
        return List.copyOf(cgroupDescriptors);
    }

    /**
     * Returns the descriptor at which the process waits for the start signal; -1 when it does not
     * wait.
     */
    public int startSignal() {
        return startSignal;
    }

    /** Lets the process become the command. */
    public void sendStartSignal() {
        if (startSignalWriting >= 0) {
            try (PipeOutput writing = new PipeOutput(libc, wakeup, startSignalWriting)) {
                startSignalWriting = -1;
                writing.write(new byte[] {'g', 'o', '\n'});
            } catch (IOException gone) {
                return; // it has ended; awaitEnd reports that
            }
        }
    }

    /** Closes the ends of the process, once it has them or will not be started. */
    public void started() {
        theirs.values().forEach(libc::close);
        theirs.clear();
    }

    PipeInput stdout() {
        return stdout;
    }

    PipeInput stderr() {
        return stderr;
    }

    OutputStream stdin() {
        return stdin;
    }

    /** Returns the status lines; null when the plan has no status descriptor. */
    PipeInput status() {
        return status;
    }

    /** Ends all readers and writers, and closes all descriptors. */
    public void close() {
        wakeup.raise();
        if (startSignalWriting >= 0) {
            libc.close(startSignalWriting);
            startSignalWriting = -1;
        }
        try {
            stdin.close();
        } catch (IOException never) {
            throw new IllegalStateException(never);
        }
        for (PipeInput input : new PipeInput[] {stdout, stderr, status}) {
            if (input != null) {
                input.close();
            }
        }
        wakeup.close();
    }

    /** Refuses writes to a process whose standard input is the null device. */
    private static final class NoInput extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            throw new IOException("The command was started without a standard input.");
        }
    }
}
