package palyra.sandbox.tierb.internal;

import java.nio.file.Path;
import java.util.List;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.testing.sandbox.Bounds;
import palyra.testing.sandbox.Ending;
import palyra.testing.sandbox.Launchers;
import palyra.testing.sandbox.Lives;
import palyra.testing.sandbox.Stand;
import palyra.testing.sandbox.Storms;
import palyra.testing.sandbox.Swaps;

/** Storms of commands in Tier B, and bombs where it has cgroups; started as another user. */
public final class TierBStress {
    private TierBStress() {}

    /** What needs cgroups. */
    public static final class Bombs {
        private Bombs() {}

        /** Runs below the folder of the first argument. */
        public static void main(String[] arguments) throws Exception {
            TierBBackend backend = backend();
            try (Stand stand = new Stand(Path.of(arguments[0]))) {
                new Bounds(backend, stand, stand.workspace("workspace")).all("cgroup");
            }
            backend.close();
            System.exit(0);
        }
    }

    /** Runs below the folder of the first argument. */
    public static void main(String[] arguments) throws Exception {
        TierBBackend backend = backend();
        try (Stand stand = new Stand(Path.of(arguments[0]))) {
            new Storms(backend, stand, stand.workspace("workspace")).all("strict");
            new Swaps(backend, stand).all("strict");
        }
        backend.close();
        System.exit(0);
    }

    private static TierBBackend backend() throws Exception {
        TierBBackend backend = new TierBBackend(Launchers.real(), new TierBSettings(List.of()));
        BackendStatus status = backend.probe();
        Lives.say(
                "probe",
                "ready",
                status.state() == State.READY,
                new Ending(true, 0, status.facts().toString(), status.cause()));
        return backend;
    }
}
