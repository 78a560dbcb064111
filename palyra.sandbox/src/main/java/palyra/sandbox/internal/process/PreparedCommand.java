package palyra.sandbox.internal.process;

import java.util.List;
import java.util.Optional;
import palyra.api.core.egress.EgressProxies.EgressProxy;
import palyra.sandbox.internal.run.RunOrder;
import palyra.sandbox.internal.run.SessionSandboxes;

/**
 * A command that is ready to start.
 *
 * @param order what runs
 * @param programSha256 digest of the program
 * @param reachesHosts whether its proxy leads to any host
 * @param session its use of the sandbox of its session; absent when it has one of its own
 */
public record PreparedCommand(
        RunOrder order,
        String programSha256,
        boolean reachesHosts,
        Optional<SessionSandboxes.Use> session)
        implements AutoCloseable {
    private static final int MOST_SHOWN_CHARS = 200;

    /** Returns the words of the command, not more than a line of them. */
    String shown() {
        String all = String.join(" ", order.spec().argv());
        return all.length() <= MOST_SHOWN_CHARS ? all : all.substring(0, MOST_SHOWN_CHARS) + "…";
    }

    /**
     * Returns what a model has to know of the sandbox of its session: one that ended, for whatever
     * reason, took along what earlier calls had left in it. Empty when there is nothing to tell.
     */
    String noteOfSession() {
        return session.filter(SessionSandboxes.Use::isFirst)
                .map(
                        use ->
                                "This is the first command in a new sandbox of the session: /tmp and"
                                        + " $HOME are empty, and no process of an earlier call runs."
                                        + (use.before().isEmpty()
                                                ? ""
                                                : " Why the one before it ended: " + use.before()))
                .orElse("");
    }

    /** Returns how many processes run in the sandbox of its session that commands left there. */
    int leftInSession() {
        return session.map(use -> use.holder().leftRunning()).orElse(0);
    }

    /** Returns what its egress proxy refused so far, as sentences. */
    List<String> blockedHosts() {
        return order.proxy().map(EgressProxy::refusals).orElse(List.of());
    }

    /** Cuts the command's way to the network, and gives back the sandbox of its session. */
    @Override
    public void close() {
        session.ifPresent(SessionSandboxes.Use::close);
        Optional<EgressProxy> proxy = order.proxy();
        proxy.ifPresent(EgressProxy::close);
    }
}
