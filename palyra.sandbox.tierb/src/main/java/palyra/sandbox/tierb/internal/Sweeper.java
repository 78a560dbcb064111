package palyra.sandbox.tierb.internal;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.shared.confine.Trial;

/**
 * Removes what a call left in its folder for temporary files, relative to folders that are held
 * open. What a command has made unreadable, or nested too deep for that, is removed inside the same
 * confinement as the call: whatever another command does to the folder meanwhile, nothing outside
 * of the workspace can be lost. Without Landlock it stays and is counted. Thread-safe.
 */
final class Sweeper {
    private static final long MILLIS = 5_000;
    private static final String SCRIPT =
            "find -P \"$1\" -type d -exec chmod u+rwx {} \\; 2>/dev/null; exec rm -rf -- \"$1\"";

    private final ProcessLauncher launcher;
    private final AtomicLong left = new AtomicLong();

    Sweeper(ProcessLauncher launcher) {
        this.launcher = launcher;
    }

    /** Removes the folder of a call that has ended, at most as freely as {@code plan} was. */
    void sweep(ScratchFolder scratch, LaunchPlan plan) {
        try (scratch) {
            if (scratch.removeAll(MILLIS)) {
                return;
            }
            if (plan.landlock().isPresent()) {
                sweepConfined(scratch, plan);
            }
            if (!scratch.removeEmpty()) {
                left.incrementAndGet();
            }
        }
    }

    private void sweepConfined(ScratchFolder scratch, LaunchPlan plan) {
        LaunchPlan sweep =
                new LaunchPlan(
                        plan.callId(),
                        List.of("/bin/sh", "-c", SCRIPT, "sh", scratch.text()),
                        plan.environment(),
                        "/",
                        plan.rlimits(),
                        plan.group(),
                        plan.landlock(),
                        plan.seccomp(),
                        List.of(),
                        0,
                        false,
                        plan.enforcement());
        try {
            Trial.run(launcher, sweep, MILLIS);
        } catch (PalyraException interrupted) {
            // the folder is looked at afterwards
        }
    }

    /** Returns how many folders could not be removed. */
    long left() {
        return left.get();
    }
}
