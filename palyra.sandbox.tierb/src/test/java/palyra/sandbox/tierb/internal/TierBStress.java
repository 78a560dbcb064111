package palyra.sandbox.tierb.internal;

import java.util.List;
import palyra.testing.sandbox.Bounds;
import palyra.testing.sandbox.Launchers;
import palyra.testing.sandbox.Storms;
import palyra.testing.sandbox.Suite;
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
            Suite.run(
                    arguments,
                    backend,
                    backend::close,
                    stand ->
                            new Bounds(backend, stand, stand.workspace("workspace")).all("cgroup"));
        }
    }

    /** Runs below the folder of the first argument. */
    public static void main(String[] arguments) throws Exception {
        TierBBackend backend = backend();
        Suite.run(
                arguments,
                backend,
                backend::close,
                stand -> {
                    new Storms(backend, stand, stand.workspace("workspace")).all("strict");
                    new Swaps(backend, stand).all("strict");
                });
    }

    /** Returns Tier B as its component would be made. */
    static TierBBackend backend() throws Exception {
        return new TierBBackend(
                Launchers.real(), Launchers.folders(), new TierBSettings(List.of()));
    }
}
