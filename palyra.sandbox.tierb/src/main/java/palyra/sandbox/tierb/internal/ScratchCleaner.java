package palyra.sandbox.tierb.internal;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.shared.confine.SelfTestRun;

/**
 * Removes the folder for temporary files of a call, relative to folders that are held open. Content
 * that a command has made unreadable, or nested too deep for that, is removed inside the same
 * confinement as the call, so another command that changes the folder meanwhile cannot cause a loss
 * outside of the workspace. Without Landlock it stays and is counted. Thread-safe.
 */
final class ScratchCleaner {
    static final long MILLIS = 5_000;
    private static final String SCRIPT =
            "find -P \"$1\" -type d -exec chmod u+rwx {} \\; 2>/dev/null; exec rm -rf -- \"$1\"";

    private final ProcessLauncher launcher;
    private final AtomicLong left = new AtomicLong();

    ScratchCleaner(ProcessLauncher launcher) {
        this.launcher = launcher;
    }

    /** Removes the folder of a call that has ended, with at most the rights of {@code plan}. */
    void clean(ScratchFolder scratch, LaunchPlan plan) {
        try (scratch) {
            if (scratch.removeAll(MILLIS)) {
                return;
            }
            if (plan.landlock().isPresent()) {
                removeConfined(scratch, plan);
            }
            if (!scratch.removeEmpty()) {
                left.incrementAndGet();
            }
        }
    }

    private void removeConfined(ScratchFolder scratch, LaunchPlan plan) {
        LaunchPlan clean =
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
            SelfTestRun.run(launcher, clean, MILLIS);
        } catch (PalyraException interrupted) {
            // the folder is checked afterwards
        }
    }

    /** Returns how many folders could not be removed. */
    long left() {
        return left.get();
    }
}
