package palyra.sandbox.internal.process;

import java.util.Optional;
import palyra.api.core.egress.EgressProxies.EgressProxy;
import palyra.sandbox.internal.run.RunOrder;

/**
 * A command that is ready to start.
 *
 * @param order what runs
 * @param programSha256 digest of the program
 */
public record PreparedCommand(RunOrder order, String programSha256) implements AutoCloseable {
    private static final int MOST_SHOWN_CHARS = 200;

    /** Returns the words of the command, not more than a line of them. */
    String shown() {
        String all = String.join(" ", order.spec().argv());
        return all.length() <= MOST_SHOWN_CHARS ? all : all.substring(0, MOST_SHOWN_CHARS) + "…";
    }

    /** Cuts the command's way to the network. */
    @Override
    public void close() {
        Optional<EgressProxy> proxy = order.proxy();
        proxy.ifPresent(EgressProxy::close);
    }
}
