package palyra.sandbox.tierb.internal;

import java.util.List;
import palyra.testing.sandbox.ForkStormRules;
import palyra.testing.sandbox.Launchers;
import palyra.testing.sandbox.LimitRules;
import palyra.testing.sandbox.PathSwapRules;
import palyra.testing.sandbox.Suite;

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
                            new LimitRules(backend, stand, stand.workspace("workspace"))
                                    .all("cgroup"));
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
                    new ForkStormRules(backend, stand, stand.workspace("workspace")).all("strict");
                    new PathSwapRules(backend, stand).all("strict");
                });
    }

    /** Returns Tier B as its component would be made. */
    static TierBBackend backend() throws Exception {
        return new TierBBackend(
                Launchers.real(), Launchers.folders(), new TierBSettings(List.of()));
    }
}
