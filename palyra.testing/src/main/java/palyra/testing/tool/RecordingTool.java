package palyra.testing.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.testing.wait.Await;

/**
 * A tool that keeps its calls and behaves as the test says: answers, throws, holds on until it is
 * released, and obeys or ignores interruption. Thread-safe.
 */
public final class RecordingTool implements Tool {
    /** What a call does. */
    @FunctionalInterface
    public interface Behaviour {
        /** Does the call's work. */
        ToolResult execute(ToolInvocation invocation) throws Exception;
    }

    private static final long HELD_SECONDS = 120;

    private final ToolDescriptor descriptor;
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<ToolInvocation> calls = new ArrayList<>(); // guarded by this
    private final List<Thread> threads = new ArrayList<>(); // guarded by this
    private Behaviour behaviour = invocation -> ToolResult.of("{}"); // guarded by this
    private int running; // guarded by this
    private int interrupted; // guarded by this

    /** Creates a tool with this description. */
    public RecordingTool(ToolDescriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** Returns a harmless tool of that name: idempotent, read-only, 30 seconds, 4 KiB of input. */
    public static RecordingTool named(String name) {
        return new RecordingTool(describe(name, Set.of(), true, 30_000));
    }

    /** Returns a tool of that name that may be started once only and writes files. */
    public static RecordingTool withEffect(String name) {
        return new RecordingTool(
                describe(name, Set.of(Capability.FILESYSTEM_WRITE), false, 30_000));
    }

    /** Returns a harmless tool of that name with its own time limit. */
    public static RecordingTool limitedTo(String name, long timeoutMillis) {
        return new RecordingTool(describe(name, Set.of(), true, timeoutMillis));
    }

    private static ToolDescriptor describe(
            String name, Set<Capability> capabilities, boolean harmless, long timeoutMillis) {
        return new ToolDescriptor(
                name,
                "A tool for tests.",
                "{\"type\":\"object\"}",
                capabilities,
                harmless,
                harmless,
                timeoutMillis,
                4_096);
    }

    /** From now on a call does this. */
    public synchronized RecordingTool doing(Behaviour what) {
        behaviour = what;
        return this;
    }

    /** From now on a call succeeds with this JSON. */
    public RecordingTool returning(String outputJson) {
        return doing(invocation -> ToolResult.of(outputJson));
    }

    /** From now on a call throws. */
    public RecordingTool throwing(Exception problem) {
        return doing(
                invocation -> {
                    throw problem;
                });
    }

    /** From now on a call lasts until {@link #release} and ends at once when interrupted. */
    public RecordingTool holding() {
        return doing(
                invocation -> {
                    released.await(HELD_SECONDS, TimeUnit.SECONDS);
                    return ToolResult.of("{}");
                });
    }

    /** From now on a call lasts until {@link #release} and takes no notice of interruption. */
    public RecordingTool holdingStubbornly() {
        return doing(
                invocation -> {
                    holdStubbornly();
                    return ToolResult.of("{}");
                });
    }

    private void holdStubbornly() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HELD_SECONDS);
        while (released.getCount() > 0 && System.nanoTime() - deadline < 0) {
            try {
                released.await(1, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                noteInterruption(); // stubborn: that is what it is for
            }
        }
    }

    /** Lets held calls go on; calls to come are not held any more. */
    public void release() {
        released.countDown();
    }

    @Override
    public ToolDescriptor descriptor() {
        return descriptor;
    }

    @Override
    public ToolResult execute(ToolInvocation invocation) throws Exception {
        Behaviour now = enter(invocation);
        try {
            return now.execute(invocation);
        } catch (InterruptedException e) {
            noteInterruption();
            throw e;
        } finally {
            leave();
        }
    }

    private synchronized Behaviour enter(ToolInvocation invocation) {
        calls.add(invocation);
        threads.add(Thread.currentThread());
        running++;
        return behaviour;
    }

    private synchronized void leave() {
        running--;
    }

    private synchronized void noteInterruption() {
        interrupted++;
    }

    /** Returns the calls so far. */
    public synchronized List<ToolInvocation> calls() {
        return List.copyOf(calls);
    }

    /** Returns the thread of each call so far. */
    public synchronized List<Thread> threads() {
        return List.copyOf(threads);
    }

    /** Returns how many calls are inside now. */
    public synchronized int running() {
        return running;
    }

    /** Returns how often a call was interrupted. */
    public synchronized int interrupted() {
        return interrupted;
    }

    /** Waits until it was called so often. */
    public void awaitCalls(int count) {
        Await.until(count + " calls of " + descriptor.name(), () -> calls().size() >= count);
    }

    /** Waits until no call is inside. */
    public void awaitIdle() {
        Await.until("the calls of " + descriptor.name() + " to end", () -> running() == 0);
    }
}
