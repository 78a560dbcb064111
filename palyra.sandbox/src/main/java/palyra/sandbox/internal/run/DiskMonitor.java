package palyra.sandbox.internal.run;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.confine.ScratchName;

/**
 * Watches what one command writes: its scratch folder and its workspace. A command that found the
 * workspace over its quota is stopped when it makes it larger still. Used by the thread that sits
 * with the command.
 */
final class DiskMonitor {
    /** Entries of one look, which comes every tenth of a second. */
    private static final int STEP = 2_000;

    /** How long a last count may take. */
    private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final SandboxSpec spec;
    private final Path folder;
    private final DiskQuota quota;
    private final DiskUsage before;
    private final Stop beyond;
    private final Runnable ended;
    private Optional<DiskMonitor> further = Optional.empty(); // before it is used
    private DiskScan count; // null between two counts
    private long nextNanos = System.nanoTime();
    private volatile long heldBytes; // as of the last count

    /**
     * @param folder what is watched: the workspace
     * @param before what the folder held when the command began
     * @param beyond why the command ends when the folder holds too much
     * @param ended is called when the command has ended
     */
    DiskMonitor(
            SandboxSpec spec,
            Path folder,
            DiskQuota quota,
            DiskUsage before,
            Stop beyond,
            Runnable ended) {
        this.spec = spec;
        this.folder = folder;
        this.quota = quota;
        this.before = before;
        this.beyond = beyond;
        this.ended = ended;
    }

    /** Watches what another one watches, too; returns itself. */
    DiskMonitor and(DiskMonitor other) {
        further = Optional.of(other);
        return this;
    }

    /** Returns what the further folder held at its last count, in bytes; any thread may ask. */
    long furtherBytes() {
        return further.map(other -> other.heldBytes).orElse(0L);
    }

    /** Returns whether the workspace held more than it may before the command. */
    boolean isFull() {
        return quota.isExceededBy(before);
    }

    /** Counts a little further; returns why the command has to end. */
    Optional<Stop> check() {
        return checkFolder().or(() -> further.flatMap(DiskMonitor::check));
    }

    private Optional<Stop> checkFolder() {
        if (count == null) {
            if (System.nanoTime() - nextNanos < 0) {
                return Optional.empty();
            }
            count = begin();
        }
        boolean whole = count.step(STEP);
        Optional<Stop> stop = judge(count.use());
        if (whole) {
            heldBytes = count.use().bytes();
            end();
        }
        return stop;
    }

    /**
     * Says whether the scratch folder was within its bound, once the command has ended and before
     * the folder is removed; the workspace is counted after that, on another thread.
     */
    Optional<Stop> finalCheck() {
        further.ifPresent(DiskMonitor::finalCheck);
        end();
        Path scratch = scratch();
        long until = System.nanoTime() + LAST_NANOS;
        try (DiskScan counted = new DiskScan(scratch, Optional.of(scratch))) {
            boolean whole = false;
            while (!whole && System.nanoTime() - until < 0) {
                whole = counted.step(STEP);
            }
            DiskUsage use = counted.use();
            return use.uncounted() > 0 ? Optional.of(Stop.SCRATCH) : beyondScratch(use);
        } finally {
            ended.run();
        }
    }

    private Path scratch() {
        return folder.resolve(ScratchName.of(spec.callId()));
    }

    private DiskScan begin() {
        return new DiskScan(folder, Optional.of(scratch()));
    }

    private void end() {
        if (count != null) {
            count.close();
            count = null;
            nextNanos = System.nanoTime() + PAUSE_NANOS;
        }
    }

    private Optional<Stop> judge(DiskUsage now) {
        boolean grew = quota.isExceededBy(now) && now.isMoreThan(before);
        return beyondScratch(now).or(() -> grew ? Optional.of(beyond) : Optional.empty());
    }

    private Optional<Stop> beyondScratch(DiskUsage now) {
        return now.scratchBytes() > spec.limits().scratchBytes()
                ? Optional.of(Stop.SCRATCH)
                : Optional.empty();
    }
}
