package palyra.sandbox.tierc.windows.internal;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.util.Optional;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.sandbox.tierc.windows.internal.win.JobAccounting;
import palyra.sandbox.tierc.windows.internal.win.JobLimits;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;

/**
 * A job object: a set of processes with limits of its own that none can leave. When its last handle
 * is closed, also by the end of the gateway, Windows ends all of them. Thread-safe.
 */
final class Job implements AutoCloseable {
    /** Exit code of what was killed, as that of SIGKILL elsewhere. */
    static final int KILLED = 137;

    private static final int UI_RESTRICTIONS = 4; // JobObjectBasicUIRestrictions
    private static final int UI_LIMIT_ALL = 0xff; // handles, clipboard, desktop, exit, …
    private static final long TICKS_PER_MILLI = 10_000;

    private final Kernel32 kernel;
    private final Handle handle;

    private Job(Kernel32 kernel, Handle handle) {
        this.kernel = kernel;
        this.handle = handle;
    }

    /** Makes a job with limits; nothing is left behind when it throws. */
    static Job make(Kernel32 kernel, SandboxLimits limits) {
        Pointer made = kernel.CreateJobObjectW(null, null);
        if (made == null) {
            throw Failures.of(kernel, "CreateJobObjectW");
        }
        Job job = new Job(kernel, new Handle(kernel, made));
        try {
            job.limit(limits);
            job.restrictUi();
            return job;
        } catch (RuntimeException e) {
            job.close();
            throw e;
        }
    }

    private void limit(SandboxLimits limits) {
        JobLimits info = new JobLimits();
        info.limitFlags =
                JobLimits.KILL_ON_JOB_CLOSE
                        | JobLimits.ACTIVE_PROCESS
                        | JobLimits.JOB_MEMORY
                        | JobLimits.PROCESS_MEMORY
                        | JobLimits.JOB_TIME
                        | JobLimits.DIE_ON_UNHANDLED_EXCEPTION;
        info.perJobUserTimeLimit = limits.cpuMillis() * TICKS_PER_MILLI;
        info.activeProcessLimit = limits.processes();
        info.jobMemoryLimit = limits.memoryBytes();
        info.processMemoryLimit = limits.memoryBytes();
        info.write();
        set(JobLimits.INFORMATION_CLASS, info.getPointer(), info.size());
    }

    private void restrictUi() {
        try (Memory restrictions = new Memory(Integer.BYTES)) {
            restrictions.setInt(0, UI_LIMIT_ALL);
            set(UI_RESTRICTIONS, restrictions, Integer.BYTES);
        }
    }

    private void set(int informationClass, Pointer info, int length) {
        if (!kernel.SetInformationJobObject(handle.value(), informationClass, info, length)) {
            throw Failures.of(kernel, "SetInformationJobObject " + informationClass);
        }
    }

    /** Takes a process in, before its first instruction. */
    void assign(Pointer process) {
        if (!kernel.AssignProcessToJobObject(handle.value(), process)) {
            throw Failures.of(kernel, "AssignProcessToJobObject");
        }
    }

    /** Ends all of its processes; returns whether Windows took the order. */
    boolean terminate() {
        try {
            return handle.use(job -> kernel.TerminateJobObject(job, KILLED));
        } catch (IOException e) {
            return false; // it was closed, which ends them as well
        }
    }

    /** Returns how many processes it has and what they used; empty when it cannot be told. */
    Optional<JobAccounting> accounting() {
        JobAccounting info = new JobAccounting();
        return query(JobAccounting.INFORMATION_CLASS, info.getPointer(), info.size())
                ? Optional.of(read(info))
                : Optional.empty();
    }

    private static JobAccounting read(JobAccounting info) {
        info.read();
        return info;
    }

    /** Returns processor time so far in milliseconds; -1 when it cannot be told. */
    long cpuMillis() {
        return accounting()
                .map(info -> (info.totalUserTime + info.totalKernelTime) / TICKS_PER_MILLI)
                .orElse(-1L);
    }

    /** Returns the most memory so far in bytes; -1 when it cannot be told. */
    long peakBytes() {
        JobLimits info = new JobLimits();
        if (!query(JobLimits.INFORMATION_CLASS, info.getPointer(), info.size())) {
            return -1;
        }
        info.read();
        return info.peakJobMemoryUsed;
    }

    private boolean query(int informationClass, Pointer info, int length) {
        try {
            return handle.use(
                    job ->
                            kernel.QueryInformationJobObject(
                                    job, informationClass, info, length, null));
        } catch (IOException e) {
            return false; // it was closed
        }
    }

    @Override
    public void close() {
        handle.close();
    }
}
