package palyra.gateway.internal.seam;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolExecutor;
import palyra.api.core.tools.ToolLookup;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.gate.Gate;

/** The seam to tool executors: every one that is there, asked in turn. Thread-safe. */
public final class ToolExecutors {
    private record Bound(ToolExecutor executor, Gate<ToolExecutor> gate) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Bound> bound = new ArrayList<>(); // guarded by lock

    /** Takes an executor into choice. */
    public void add(ToolExecutor executor, Map<String, ?> properties) {
        Gate<ToolExecutor> gate = new Gate<>("the tool executor", ErrorCode.TOOL_UNAVAILABLE, 0);
        gate.add(executor, properties);
        lock.lock();
        try {
            bound.add(new Bound(executor, gate));
        } finally {
            lock.unlock();
        }
    }

    /** Takes an executor out of choice and waits until no call into it is under way. */
    public void remove(ToolExecutor executor) {
        Bound leaving;
        lock.lock();
        try {
            leaving = bound.stream().filter(b -> b.executor() == executor).findFirst().orElse(null);
            bound.remove(leaving);
        } finally {
            lock.unlock();
        }
        if (leaving != null) {
            leaving.gate().remove(executor);
        }
    }

    private List<Bound> snapshot() {
        lock.lock();
        try {
            return List.copyOf(bound);
        } finally {
            lock.unlock();
        }
    }

    /** Returns every tool on offer, by name. */
    public List<ToolDescriptor> catalogue() {
        Map<String, ToolDescriptor> byName = new TreeMap<>();
        for (Bound one : snapshot()) {
            for (ToolDescriptor tool : catalogueOf(one)) {
                byName.putIfAbsent(tool.name(), tool);
            }
        }
        return List.copyOf(byName.values());
    }

    private static List<ToolDescriptor> catalogueOf(Bound one) {
        try {
            return one.gate().call(ToolExecutor::catalogue);
        } catch (PalyraException e) {
            return List.of(); // it left between the snapshot and the call: it offers nothing
        }
    }

    /**
     * Returns the tool of that name, waiting up to {@code waitMillis} for an executor that offers
     * it.
     */
    public Optional<ToolDescriptor> find(String toolName, long waitMillis)
            throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        while (true) {
            Optional<ToolDescriptor> found =
                    catalogue().stream().filter(tool -> tool.name().equals(toolName)).findFirst();
            long left = deadline - System.nanoTime();
            if (found.isPresent() || left <= 0) {
                return found;
            }
            // Tools come and go inside an executor without a word, so looking again is all there
            // is.
            TimeUnit.MILLISECONDS.sleep(Math.min(50, 1 + TimeUnit.NANOSECONDS.toMillis(left)));
        }
    }

    /** Finds out what a call would do; TOOL_UNAVAILABLE when no executor offers the tool. */
    public ToolExamination examine(ToolProposed proposed) {
        return offering(proposed.toolName()).call(executor -> executor.examine(proposed));
    }

    /** Starts a call; TOOL_UNAVAILABLE when no executor offers the tool. */
    public void start(ToolOrder order, Consumer<ToolOutcome> sink) {
        offering(order.toolName()).run(executor -> executor.start(order, sink));
    }

    private Gate<ToolExecutor> offering(String toolName) {
        for (Bound one : snapshot()) {
            if (catalogueOf(one).stream().anyMatch(tool -> tool.name().equals(toolName))) {
                return one.gate();
            }
        }
        throw new PalyraException(
                ErrorCode.TOOL_UNAVAILABLE,
                "Tool " + toolName + " was called: no executor offers it now; try again later.");
    }

    /** Asks every executor about a call. */
    public ToolLookup attach(String callId, int attempt, Consumer<ToolOutcome> sink) {
        for (Bound one : snapshot()) {
            ToolLookup lookup = one.gate().call(executor -> executor.attach(callId, attempt, sink));
            if (!(lookup instanceof ToolLookup.Unknown)) {
                return lookup;
            }
        }
        return new ToolLookup.Unknown();
    }

    /** Asks the executor that offers the tool whether a lost call may be started again. */
    public boolean mayRepeat(String toolName, String callId, int attempt) {
        try {
            return offering(toolName)
                    .call(executor -> executor.mayRepeat(toolName, callId, attempt));
        } catch (PalyraException e) {
            return false; // without its word it is not started
        }
    }

    /** Asks the executor that offers the tool what is left of a lost call; empty for nothing. */
    public String leftBy(String toolName, String agentId, String callId, int attempt) {
        try {
            return offering(toolName)
                    .call(executor -> executor.leftBy(toolName, agentId, callId, attempt));
        } catch (PalyraException e) {
            return ""; // the tool is away
        }
    }

    /** Asks every executor to stop a call. */
    public void cancel(String callId) {
        each(executor -> executor.cancel(callId));
    }

    /** Lets every executor forget a call. */
    public void forget(String callId) {
        each(executor -> executor.forget(callId));
    }

    private void each(Consumer<ToolExecutor> what) {
        for (Bound one : snapshot()) {
            try {
                one.gate().run(what);
            } catch (PalyraException e) {
                // it left, and its calls with it
            }
        }
    }
}
