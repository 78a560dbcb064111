package palyra.sandbox.posix.internal;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.sandbox.posix.internal.libc.Descriptors;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.Limit;
import palyra.sandbox.posix.internal.libc.Os;
import palyra.sandbox.posix.internal.life.Child;
import palyra.sandbox.posix.internal.life.SpawnedChild;
import palyra.sandbox.posix.internal.spawn.PosixSpawn;
import palyra.sandbox.posix.internal.spawn.SpawnAttributes;
import palyra.sandbox.posix.internal.spawn.SpawnPlan;
import palyra.sandbox.posix.internal.spawn.Stage;
import palyra.sandbox.posix.internal.spawn.StageImage;

/**
 * Tries whether a program in memory can be executed and does what it should, by one that must fail
 * to execute what is not there. Systems may forbid it; then the shell does the same, more slowly.
 */
final class ImageProbe {
    private static final int OWN = 3;
    private static final int NOT_THERE = 127;

    private final Libc libc;

    ImageProbe(Libc libc) {
        this.libc = libc;
    }

    /** Tries it; about a millisecond. */
    boolean works() {
        boolean secretFits = libc.hardLimit(Limit.DATA) < 0;
        if (!libc.os().linux() || !Os.archName().equals("x86_64") || !secretFits) {
            return false;
        }
        Descriptors descriptors = new Descriptors(libc);
        try {
            int image = -1;
            int device = descriptors.nullDevice(false);
            try {
                image = descriptors.program(image());
                return run(Map.of(0, device, 1, device, 2, device, OWN, image)) == NOT_THERE;
            } finally {
                libc.close(device);
                if (image >= 0) {
                    libc.close(image);
                }
            }
        } catch (PalyraException refused) {
            return false;
        }
    }

    private static byte[] image() {
        return StageImage.of(new Rlimits(9, 0, 0, 0, 0), limit -> -1, OWN, List.of(), -1);
    }

    private int run(Map<Integer, Integer> descriptors) throws PalyraException {
        SpawnPlan plan =
                new SpawnPlan(
                        bytes("/proc/self/fd/" + OWN),
                        List.of(Stage.image().name(), bytes("/nowhere/palyra")),
                        List.of(),
                        bytes("/"),
                        -1,
                        descriptors);
        try (PosixSpawn spawn = new PosixSpawn(libc, new SpawnAttributes(libc), plan)) {
            if (spawn.start() != 0) {
                return -1;
            }
            Child child = new SpawnedChild(libc, spawn.pid());
            try {
                Child.End end = child.awaitEnd();
                return end.signalled() || end.lost() ? -1 : end.code();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return -1;
            } finally {
                child.reap();
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
