package palyra.sandbox.tierc.windows.internal;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.WString;
import java.nio.charset.StandardCharsets;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;
import palyra.sandbox.tierc.windows.internal.win.ProcessInformation;
import palyra.sandbox.tierc.windows.internal.win.StartupInfo;

/**
 * Starts a process inside a new job, never outside: it is created suspended, assigned to the job,
 * and resumed. On any failure every handle is closed once and nothing runs. Thread-safe.
 */
final class JobSpawner {
    private static final int FLAGS =
            Kernel32.CREATE_SUSPENDED
                    | Kernel32.CREATE_NO_WINDOW
                    | Kernel32.CREATE_UNICODE_ENVIRONMENT
                    | Kernel32.EXTENDED_STARTUPINFO_PRESENT;

    private final Kernel32 kernel;

    JobSpawner(Kernel32 kernel) {
        this.kernel = kernel;
    }

    /**
     * The process to start.
     *
     * @param program path as Windows has it
     * @param commandLine all arguments, the program's name included
     * @param environment the block
     * @param folder where it starts, as Windows has it
     * @param stdinPiped whether its input is a pipe
     */
    record Order(
            String program,
            String commandLine,
            String environment,
            String folder,
            SandboxLimits limits,
            boolean stdinPiped) {}

    /**
     * What runs.
     *
     * @param stdin the gateway's end; null for the null device
     */
    record Spawned(Job job, Handle process, long pid, Handle stdin, Handle stdout, Handle stderr) {}

    /** Starts it; nothing is left behind when it throws. */
    Spawned spawn(Order order) {
        try (Undo undo = new Undo()) {
            Job job = undo.add(Job.make(kernel, order.limits()));
            Pipe stdout = undo.add(Pipe.output(kernel));
            Pipe stderr = undo.add(Pipe.output(kernel));
            Pipe stdin = undo.add(order.stdinPiped() ? Pipe.input(kernel) : Pipe.nothing(kernel));
            ProcessInformation made = create(order, stdin, stdout, stderr);
            Handle process = undo.add(new Handle(kernel, made.hProcess));
            try (Handle thread = new Handle(kernel, made.hThread)) {
                confine(job, process, thread);
            }
            for (Pipe pipe : List.of(stdin, stdout, stderr)) {
                pipe.theirs().close(); // or the end of its output would never be seen
            }
            undo.forget();
            return new Spawned(
                    job,
                    process,
                    Integer.toUnsignedLong(made.dwProcessId),
                    stdin.ours(),
                    stdout.ours(),
                    stderr.ours());
        }
    }

    private ProcessInformation create(Order order, Pipe stdin, Pipe stdout, Pipe stderr) {
        Pointer in = stdin.theirs().value();
        Pointer out = stdout.theirs().value();
        Pointer err = stderr.theirs().value();
        try (AttributeList inherited = AttributeList.of(kernel, List.of(in, out, err));
                Memory line = utf16(order.commandLine() + '\0');
                Memory environment = utf16(order.environment())) {
            StartupInfo startup = new StartupInfo();
            startup.cb = startup.size();
            startup.dwFlags = Kernel32.STARTF_USESTDHANDLES;
            startup.hStdInput = in;
            startup.hStdOutput = out;
            startup.hStdError = err;
            startup.lpAttributeList = inherited.pointer();
            startup.write();
            ProcessInformation made = new ProcessInformation();
            if (!kernel.CreateProcessW(
                    new WString(order.program()),
                    line,
                    null,
                    null,
                    true,
                    FLAGS,
                    environment,
                    new WString(order.folder()),
                    startup.getPointer(),
                    made.getPointer())) {
                throw Failures.of(kernel, "CreateProcessW");
            }
            made.read();
            return made;
        }
    }

    /** A process that could not be put into its job, or let go there, never runs. */
    private void confine(Job job, Handle process, Handle thread) {
        try {
            job.assign(process.value());
            int suspended = kernel.ResumeThread(thread.value());
            if (suspended != 1) {
                throw new PalyraException(
                        ErrorCode.TOOL_UNAVAILABLE,
                        "A process could not be let go in its job (ResumeThread said "
                                + suspended
                                + "); something else on this host holds or starts processes.");
            }
        } catch (RuntimeException e) {
            kernel.TerminateProcess(process.value(), Job.KILLED);
            throw e;
        }
    }

    private static Memory utf16(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_16LE);
        Memory memory = new Memory(bytes.length);
        memory.write(0, bytes, 0, bytes.length);
        return memory;
    }
}
