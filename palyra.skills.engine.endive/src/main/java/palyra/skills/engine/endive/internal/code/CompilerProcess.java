package palyra.skills.engine.endive.internal.code;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.wasm.WasmModule;
import palyra.shared.deadline.Deadlines;
import palyra.shared.worker.WorkerProcess;
import palyra.shared.worker.WorkerProcess.Ending;
import palyra.skills.engine.endive.internal.protocol.CompileResponse;

/**
 * One module in a process of the compiler: sends it, takes the answer, ends the process. Another
 * thread may stop it at any moment.
 */
final class CompilerProcess {
    private static final long LOOK_MILLIS = 250;
    private static final long END_MILLIS = 2_000;
    private static final int MOST_PRINTED = 500;
    private static final int MOST_STARTS = 3;

    /** Exit code of a JVM whose heap is full, with {@code -XX:+ExitOnOutOfMemoryError}. */
    private static final int OUT_OF_HEAP = 3;

    /** 128 and SIGXCPU: the kernel's limit of processor time. */
    private static final int OUT_OF_CPU = 152;

    private final WasmModule module;
    private final CompilerStarter start;
    private final CompileLimits budget;
    private final Deadlines deadlines;
    private final ReentrantLock lock = new ReentrantLock();
    private WorkerProcess process; // guarded by lock; null while none runs
    private volatile Stop stop; // set under lock; null while it is to go on

    /** Why a process was ended. */
    enum Stop {
        /** No call waits for the module any more. */
        LEFT,
        /** The engine is being stopped. */
        CLOSED,
        /** Its sandbox goes; it is started again. */
        SANDBOX,
        /** Its processor time is used up. */
        CPU,
        /** Its wall-clock time is over. */
        WALL
    }

    CompilerProcess(
            WasmModule module, CompilerStarter start, CompileLimits budget, Deadlines deadlines) {
        this.module = module;
        this.start = start;
        this.budget = budget;
        this.deadlines = deadlines;
    }

    /** Ends the process; the first reason counts. A sandbox goes from a process that runs only. */
    void stop(Stop why) {
        WorkerProcess running;
        lock.lock();
        try {
            if (why == Stop.SANDBOX && process == null) {
                return;
            }
            if (stop == null) {
                stop = why;
            }
            running = process;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.close();
        }
    }

    /**
     * Returns the body of the answer: an encoded pack of classes.
     *
     * @throws CompileRefusedException when the module is not taken, or takes more than the budget
     * @throws PalyraException when it was stopped, or no process can be started
     */
    byte[] compile() throws CompileRefusedException, InterruptedException {
        for (int starts = 1; ; starts++) {
            if (stop != null) {
                throw stopped(stop);
            }
            try (WorkerProcess worker = start.start(() -> stop != null)) {
                return compile(worker);
            } catch (SandboxLeft e) {
                if (starts == MOST_STARTS) {
                    throw stopped(Stop.SANDBOX);
                }
            }
        }
    }

    private byte[] compile(WorkerProcess worker)
            throws CompileRefusedException, InterruptedException, SandboxLeft {
        begin(worker);
        Deadlines.Deadline wall = deadlines.after(budget.wallMillis(), () -> stop(Stop.WALL));
        look(worker);
        try {
            CompileResponse answer = exchange(worker);
            if (!answer.compiled()) {
                String why = new String(answer.body(), StandardCharsets.UTF_8);
                throw new CompileRefusedException(
                        "Endive does not take module " + module.sha256() + ": " + why + ".");
            }
            return answer.body();
        } catch (CompileResponse.TooLarge e) {
            throw CompileRefusedException.tooExpensive(
                    module,
                    e.bytes()
                            + " bytes of classes, and at most "
                            + CompileLimits.ANSWER_BYTES
                            + " are taken");
        } catch (IOException e) {
            judge(worker, e);
            throw new IllegalStateException(e); // not reached: judging always throws
        } finally {
            wall.cancel();
            end();
        }
    }

    private void begin(WorkerProcess worker) {
        lock.lock();
        try {
            if (stop != null) {
                throw stopped(stop);
            }
            process = worker;
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            process = null;
        } finally {
            lock.unlock();
        }
    }

    /** Looks at the processor time until the process is gone; the kernel may not count it. */
    private void look(WorkerProcess worker) {
        deadlines.after(
                LOOK_MILLIS,
                () -> {
                    lock.lock();
                    try {
                        if (process != worker || stop != null) {
                            return;
                        }
                    } finally {
                        lock.unlock();
                    }
                    if (worker.cpuMillis() > budget.cpuMillis()) {
                        stop(Stop.CPU);
                    } else {
                        look(worker);
                    }
                });
    }

    private CompileResponse exchange(WorkerProcess worker) throws IOException {
        try (OutputStream in = worker.in()) {
            in.write(module.bytes());
        }
        return CompileResponse.read(worker.out(), CompileLimits.ANSWER_BYTES);
    }

    /** Returns why the process sent no response. */
    private void judge(WorkerProcess worker, IOException e)
            throws CompileRefusedException, InterruptedException, SandboxLeft {
        Ending ending = stop == null ? worker.await(END_MILLIS).orElse(null) : null;
        Stop why = stop;
        if (why == Stop.SANDBOX) {
            again();
        }
        if (why == Stop.CPU || (ending != null && ending.exitCode() == OUT_OF_CPU)) {
            throw CompileRefusedException.tooExpensive(module, budget.cpuWords());
        }
        if (why != null) {
            throw stopped(why);
        }
        if (ending != null && (ending.exitCode() == OUT_OF_HEAP || ending.outOfMemory())) {
            throw CompileRefusedException.tooExpensive(module, budget.heapWords());
        }
        throw new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE,
                "The process that compiles module "
                        + module.sha256()
                        + " gave no answer ("
                        + e.getMessage()
                        + "); it ended with "
                        + (ending == null ? "no exit code yet" : ending.words())
                        + printed(worker, ending)
                        + ".",
                e);
    }

    private void again() throws SandboxLeft {
        lock.lock();
        try {
            stop = null;
        } finally {
            lock.unlock();
        }
        throw new SandboxLeft();
    }

    private static String printed(WorkerProcess worker, Ending ending) {
        if (ending == null) {
            return "";
        }
        try {
            String text =
                    new String(worker.err().readNBytes(MOST_PRINTED), StandardCharsets.UTF_8)
                            .strip()
                            .replaceAll("\\s+", " ");
            return text.isEmpty() ? "" : " and printed: " + text;
        } catch (IOException e) {
            return "";
        }
    }

    private PalyraException stopped(Stop why) {
        return switch (why) {
            case LEFT ->
                    new PalyraException(
                            ErrorCode.CANCELLED,
                            "Compiling module "
                                    + module.sha256()
                                    + " was stopped: no call waits for it any more.");
            case WALL ->
                    new PalyraException(
                            ErrorCode.RESOURCE_EXHAUSTED,
                            "Compiling module "
                                    + module.sha256()
                                    + " was stopped after "
                                    + TimeUnit.MILLISECONDS.toSeconds(budget.wallMillis())
                                    + " s of wall-clock time in which it got less than its "
                                    + budget.cpuMillis()
                                    + " ms of processor time: the host is too busy. Call it when"
                                    + " less runs.");
            case CLOSED, SANDBOX, CPU ->
                    new PalyraException(
                            ErrorCode.TOOL_UNAVAILABLE,
                            "Compiling module "
                                    + module.sha256()
                                    + " was stopped, because the engine or its sandbox is being"
                                    + " replaced: try again in a moment.");
        };
    }

    /** The sandbox that the process ran in has gone. */
    private static final class SandboxLeft extends Exception {
        private static final long serialVersionUID = 1L;

        SandboxLeft() {
            super(null, null, false, false);
        }
    }
}
