package palyra.sandbox.internal.run;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.shared.confine.ScratchName;

/**
 * Watches what one command writes: its scratch folder and its workspace. A command that found the
 * workspace over its quota may make it a little larger, as what cleans up does; it is stopped when
 * it makes it larger still. Used by the thread that sits with the command.
 */
final class DiskMonitor {
    /** Entries of one look, which comes every tenth of a second. */
    private static final int STEP = 2_000;

    /** How long a last count may take. */
    private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** How much a command may add to a workspace that is over its quota. */
    static final long SPARE_BYTES = 1L << 20;

    /** Files, likewise; the sandbox itself makes some, such as placeholders of protected paths. */
    private static final long SPARE_FILES = 64;

    /**
     * In how many counts a folder has to grow, without becoming smaller, before a patient one
     * minds.
     */
    private static final int PATIENCE = 4;

    private final SandboxSpec spec;
    private final Path folder;
    private final DiskQuota quota;
    private final DiskUsage before;
    private final Stop beyond;
    private final Runnable ended;
    private Optional<DiskMonitor> further = Optional.empty(); // before it is used
    private DiskScan count; // null between two counts
    private long nextNanos = System.nanoTime();
    private boolean patient; // before it is used
    private DiskUsage grownFrom; // least since the folder is too large; null while it is not
    private DiskUsage lastCounted = DiskUsage.NONE; // the count before, while it is too large
    private int grown; // counts since then in which it was larger than before
    private volatile DiskUsage last = DiskUsage.NONE; // the last whole count, or what ended it

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

    /**
     * Minds a workspace that is too large only when it goes on growing: the command that makes it
     * larger is ended by its own monitor. Returns itself.
     */
    DiskMonitor patient() {
        patient = true;
        return this;
    }

    /** Returns what the further folder held at its last count, in bytes; any thread may ask. */
    long furtherBytes() {
        return further.map(other -> other.last.bytes()).orElse(0L);
    }

    /** Returns whether the workspace held more than it may before the command. */
    boolean isFull() {
        return quota.isExceededBy(before);
    }

    /** Tells of a workspace that held more than it may before the command; empty when not. */
    String noteOfFull() {
        if (!isFull()) {
            return "";
        }
        boolean over = quota.isTooLittleFor(before);
        return (over
                        ? "The workspace is over its quota: it held "
                                + quota.compared(before)
                                + " (workspaceBytes, workspaceFiles of palyra.sandbox) when this"
                                + " command began."
                        : before.sentenceOfUnread())
                + " A command is stopped then when it adds more"
                + " than "
                + LimitText.bytes(SPARE_BYTES)
                + ", and writes no larger file"
                + (over ? "; remove what is not needed." : ".");
    }

    /**
     * Says what was measured when it ended a command; empty for other ends.
     *
     * @param what was stopped
     */
    Optional<Verdict> verdict(Stop why, String what) {
        if (why == Stop.SCRATCH && last.scratchBytes() > spec.limits().scratchBytes()) {
            return told(
                    why,
                    what
                            + " was stopped because its temporary files had grown to "
                            + last.scratchBytes()
                            + " bytes; scratchBytes of palyra.sandbox allows "
                            + spec.limits().scratchBytes()
                            + ". Make it write less to $TMPDIR.");
        }
        if (why != beyond) {
            return further.flatMap(other -> other.verdict(why, what));
        }
        if (!quota.isTooLittleFor(last) && last.uncounted() > 0) {
            return told(why, what + " was stopped because " + last.sentenceOfUnread());
        }
        return told(
                why,
                what
                        + " was stopped because "
                        + (why == Stop.WORKSPACE
                                ? "the workspace had grown to "
                                        + quota.compared(last)
                                        + " (workspaceBytes, workspaceFiles of palyra.sandbox)."
                                        + " Remove what is not needed; commands that add little"
                                        + " still run."
                                : "its home folder and temporary files had grown to "
                                        + quota.compared(last)
                                        + " (sessionBytes of palyra.sandbox)."));
    }

    private static Optional<Verdict> told(Stop why, String sentence) {
        return Optional.of(new Verdict(why.outcome(), sentence));
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
        if (whole || stop.isPresent()) {
            last = count.use();
        }
        if (whole) {
            stop = stop.or(this::growing);
            end();
        }
        return stop;
    }

    /**
     * Whether a folder that is too large has grown for a while and by more than single commands
     * may. A pause changes nothing of that: what writes may sleep between; what removes does.
     */
    private Optional<Stop> growing() {
        if (!patient || !isBeyond(last)) {
            grown = 0;
            grownFrom = null;
            return Optional.empty();
        }
        if (grownFrom == null || grownFrom.isMoreThan(last)) {
            grown = 0;
            grownFrom = last;
        } else if (last.isMoreThan(lastCounted)) {
            grown++;
        }
        lastCounted = last;
        boolean much =
                last.isMoreThan(grownFrom.and(PATIENCE * SPARE_BYTES, PATIENCE * SPARE_FILES));
        return grown >= PATIENCE && much ? Optional.of(beyond) : Optional.empty();
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
            if (use.scratchBytes() > spec.limits().scratchBytes()) {
                last = use;
            }
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
        boolean grew = !patient && isBeyond(now);
        return beyondScratch(now).or(() -> grew ? Optional.of(beyond) : Optional.empty());
    }

    private boolean isBeyond(DiskUsage now) {
        return quota.isExceededBy(now)
                && (!isFull() || now.isMoreThan(before.and(SPARE_BYTES, SPARE_FILES)));
    }

    private Optional<Stop> beyondScratch(DiskUsage now) {
        return now.scratchBytes() > spec.limits().scratchBytes()
                ? Optional.of(Stop.SCRATCH)
                : Optional.empty();
    }
}
