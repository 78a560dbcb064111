package palyra.sandbox.internal.run;

import java.util.List;
import palyra.api.core.egress.EgressProxies.EgressProxy;

/** A proxy that is alive or not. */
public final class FakeProxy implements EgressProxy {
    public volatile boolean alive;
    public volatile boolean closed;
    public volatile List<String> refusals = List.of();

    public FakeProxy(boolean alive) {
        this.alive = alive;
    }

    @Override
    public String folder() {
        return "/tmp/e";
    }

    @Override
    public List<String> refusals() {
        return refusals;
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
