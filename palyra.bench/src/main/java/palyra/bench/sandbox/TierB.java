package palyra.bench.sandbox;

import palyra.api.core.sandbox.SandboxBackend;
import palyra.sandbox.posix.internal.PosixComponent;

/** The product's Tier B on the product's own launcher, for what else is measured within it. */
public final class TierB implements AutoCloseable {
    private final PosixComponent posix = new PosixComponent();
    private final SandboxBackend backend;

    /** Makes it and finds out whether it works here; its status says so. */
    public TierB() {
        try {
            backend = Tiers.tierB(posix);
        } catch (Exception e) {
            throw new IllegalStateException("Tier B cannot be made", e);
        }
        backend.probe();
    }

    /** Returns it. */
    public SandboxBackend backend() {
        return backend;
    }

    @Override
    public void close() {
        posix.stop();
    }
}
