package palyra.sandbox.posix.internal.process;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Finds and kills processes of a call without a cgroup: by the mark in the environment, by the
 * session of its first process, and by descent. A process that has left its session, lost its
 * parent and cleared its environment is not found; enforcement says so by {@code kill=marker}. With
 * {@code kill=marker,confirmed} it is not found either, but known to be there, and reported.
 * Thread-safe.
 */
public final class ProcessSweeper {
    private static final long PAUSE_MILLIS = 2;
    private static final long HIDDEN_MILLIS = 20;

    private final ProcessTable table;
    private final Signals signals;

    /** Creates it. */
    public ProcessSweeper(ProcessTable table, Signals signals) {
        this.table = table;
        this.signals = signals;
    }

    /**
     * Knowledge about a call beside {@code /proc}.
     *
     * @param knows whether a "no" of {@code empty} is reliable
     * @param empty waits that many milliseconds at most and returns whether no process is left
     */
    record Evidence(boolean knows, LongPredicate empty) {
        /** No knowledge: only waits. */
        static final Evidence NONE =
                new Evidence(
                        false,
                        millis -> {
                            pause(millis);
                            return false;
                        });
    }

    /**
     * Kills until none is left or the time is over.
     *
     * @param mark the call
     * @param leader its first process, not yet reaped
     * @param evidence knowledge beside {@code /proc}
     * @param deadline in terms of {@link System#nanoTime}
     * @return how many were alive at the last scan; at least 1 when the evidence says that a
     *     process is left that the scan cannot find
     */
    int kill(Mark mark, long leader, Evidence evidence, long deadline) {
        Map<Long, Long> known = new HashMap<>();
        long since = table.find(leader).map(ProcessTable.Entry::started).orElse(0L);
        int empty = 0;
        while (true) {
            List<ProcessTable.Entry> found = find(mark, leader, since, known);
            if (found.isEmpty() && !evidence.knows() && ++empty > 1) {
                return 0; // twice: a process that is being executed shows no environment
            }
            for (ProcessTable.Entry entry : found) {
                known.put(entry.pid(), entry.started());
                signals.kill(entry.pid(), () -> same(entry));
            }
            if (evidence.empty()
                    .test(found.isEmpty() && evidence.knows() ? HIDDEN_MILLIS : PAUSE_MILLIS)) {
                return 0;
            }
            if (System.nanoTime() - deadline > 0) {
                int left = find(mark, leader, since, known).size();
                return evidence.knows() && !evidence.empty().test(0) ? Math.max(1, left) : left;
            }
        }
    }

    /** Returns whether a living process has a mark. */
    boolean finds(Mark mark) {
        return table.living().stream().anyMatch(entry -> mark.in(table.environment(entry.pid())));
    }

    private boolean same(ProcessTable.Entry entry) {
        return table.find(entry.pid()).filter(now -> now.started() == entry.started()).isPresent();
    }

    private List<ProcessTable.Entry> find(
            Mark mark, long leader, long since, Map<Long, Long> known) {
        List<ProcessTable.Entry> all = table.living();
        Set<Long> ours = new HashSet<>();
        for (ProcessTable.Entry entry : all) {
            if (belongs(entry, mark, leader, since, known)) {
                ours.add(entry.pid());
            }
        }
        ours.add(leader);
        addDescendants(all, ours);
        List<ProcessTable.Entry> found = new ArrayList<>();
        for (ProcessTable.Entry entry : all) {
            if (ours.contains(entry.pid())) {
                found.add(entry);
            }
        }
        return found;
    }

    /**
     * Reading an environment is expensive; a process older than the first one cannot have its mark.
     */
    private boolean belongs(
            ProcessTable.Entry entry, Mark mark, long leader, long since, Map<Long, Long> known) {
        return entry.session() == leader
                || Long.valueOf(entry.started()).equals(known.get(entry.pid()))
                || (entry.started() >= since && mark.in(table.environment(entry.pid())));
    }

    /** Adds all that descend from some processes. */
    static void addDescendants(List<ProcessTable.Entry> all, Set<Long> ours) {
        boolean grown = true;
        while (grown) {
            grown = false;
            for (ProcessTable.Entry entry : all) {
                grown |= ours.contains(entry.parent()) && ours.add(entry.pid());
            }
        }
    }

    /**
     * Kills processes left by a gateway that does not run any more.
     *
     * @return how many were killed
     */
    int killOrphans(Mark.Owner self) {
        long me = ProcessHandle.current().pid();
        int killed = 0;
        for (ProcessTable.Entry entry : table.living()) {
            if (entry.pid() != me && orphan(entry, self)) {
                signals.kill(entry.pid(), () -> same(entry) && orphan(entry, self));
                killed++;
            }
        }
        return killed;
    }

    private boolean orphan(ProcessTable.Entry entry, Mark.Owner self) {
        return ownerIsGone(Mark.find(table.environment(entry.pid())), self);
    }

    /** Returns whether a mark is of another launcher that does not run any more. */
    boolean ownerIsGone(String mark, Mark.Owner self) {
        Mark.Owner owner = Mark.Owner.parse(mark);
        if (owner == null || owner.equals(self)) {
            return false;
        }
        boolean inThisJvm = owner.pid() == self.pid() && owner.started() == self.started();
        return inThisJvm
                || table.find(owner.pid())
                        .filter(now -> !now.dead() && now.started() == owner.started())
                        .isEmpty();
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            Thread.onSpinWait();
        }
    }
}
