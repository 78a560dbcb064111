package palyra.sandbox.internal.run;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.SandboxSpec;

/** What workspaces held when they were last counted. Thread-safe. */
final class DiskUsageTracker {
    private static final int MOST_KNOWN = 1_000;
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int STEP = 2_000;

    private final Supplier<DiskQuota> quota;
    private final Set<String> counting = ConcurrentHashMap.newKeySet();

    /** Workspaces in which a command has ended since the last count began. */
    private final Set<String> changed = ConcurrentHashMap.newKeySet();

    private final Map<String, DiskUsage> known =
            new LinkedHashMap<>(16, 0.75f, true) { // guarded by itself
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, DiskUsage> eldest) {
                    return size() > MOST_KNOWN;
                }
            };

    DiskUsageTracker(Supplier<DiskQuota> quota) {
        this.quota = quota;
    }

    /** Returns what watches a command that is about to start. */
    DiskMonitor monitor(SandboxSpec spec) {
        return monitor(spec, Path.of(spec.workspace()), Stop.WORKSPACE);
    }

    /**
     * Returns what watches a folder while a command runs.
     *
     * @param beyond why the command ends when the folder holds too much
     */
    DiskMonitor monitor(SandboxSpec spec, Path folder, Stop beyond) {
        return new DiskMonitor(
                spec,
                folder,
                quota.get(),
                before(folder.toString()),
                beyond,
                () -> scheduleCount(folder.toString(), spec.callId()));
    }

    /**
     * Refuses bytes that a workspace has no room for, as it was last counted; it is counted again
     * after them.
     *
     * @throws PalyraException RESOURCE_EXHAUSTED
     */
    void requireRoom(String workspace, long bytes) {
        DiskUsage use = before(workspace).and(bytes, 1);
        if (quota.get().isExceededBy(use)) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The workspace would hold "
                            + quota.get().compared(use)
                            + "; remove some files first. Nothing was written.");
        }
        if (bytes > 0) {
            changed.add(workspace);
        }
    }

    /** No caller waits for the count after a command; one at a time is enough for a workspace. */
    private void scheduleCount(String workspace, String callId) {
        if (quota.get().equals(DiskQuota.NONE)) {
            return;
        }
        changed.add(workspace);
        if (counting.add(workspace)) {
            Threads.start("disk-" + callId, () -> count(workspace));
        }
    }

    private void count(String workspace) {
        do {
            try {
                while (changed.remove(workspace)) {
                    keep(workspace, counted(workspace));
                }
            } finally {
                counting.remove(workspace);
            }
        } while (changed.contains(workspace) && counting.add(workspace));
    }

    /**
     * What was too much is counted again, for there may be room by now, and so is what a command
     * has left that was not counted yet: the next one would be stopped for it.
     */
    private DiskUsage before(String workspace) {
        if (quota.get().equals(DiskQuota.NONE)) {
            return DiskUsage.NONE;
        }
        DiskUsage last;
        synchronized (known) {
            last = known.get(workspace);
        }
        boolean current = !changed.contains(workspace) && !counting.contains(workspace);
        if (last != null && current && !quota.get().isExceededBy(last)) {
            return last;
        }
        DiskUsage now = counted(workspace);
        keep(workspace, now);
        return now;
    }

    private static DiskUsage counted(String workspace) {
        long until = System.nanoTime() + FIRST_NANOS;
        try (DiskScan count = new DiskScan(Path.of(workspace), Optional.empty())) {
            boolean whole = false;
            while (!whole && System.nanoTime() - until < 0) {
                whole = count.step(STEP);
            }
            return count.use();
        }
    }

    private void keep(String workspace, DiskUsage use) {
        synchronized (known) {
            known.put(workspace, use);
        }
    }
}
