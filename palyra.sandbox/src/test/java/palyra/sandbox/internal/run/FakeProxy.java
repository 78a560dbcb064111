package palyra.sandbox.internal.run;

import palyra.api.core.egress.EgressProxies.EgressProxy;

/** A proxy that is alive or not. */
public final class FakeProxy implements EgressProxy {
    public volatile boolean alive;
    public volatile boolean closed;

    public FakeProxy(boolean alive) {
        this.alive = alive;
    }

    @Override
    public String folder() {
        return "/tmp/e";
    }

    @Override
    public boolean alive() {
        return alive && !closed;
    }

    @Override
    public void close() {
        closed = true;
    }
}
