package palyra.transport.grpc.internal.service.stream;

import java.util.ArrayDeque;
import java.util.Deque;
import palyra.api.run.RunEvent;
import palyra.shared.follow.ResumingRunFollower;
import palyra.transport.grpc.internal.wire.common.RunStreamEvent;

/**
 * Passes the events of a run on to a client. Holds the messages of one event at most: the next one
 * is taken when the client has read them.
 */
final class RunStreamReader implements ResumingRunFollower.Reader {
    private final RunEventMapper wire;
    private final Outbound<RunStreamEvent> out;
    private final Deque<RunStreamEvent> unsent = new ArrayDeque<>();

    RunStreamReader(RunEventMapper wire, Outbound<RunStreamEvent> out) {
        this.wire = wire;
        this.out = out;
    }

    @Override
    public void take(RunEvent event) {
        unsent.addAll(wire.messages(event));
    }

    @Override
    public void flush() throws InterruptedException {
        while (!unsent.isEmpty()) {
            if (!out.send(unsent.element())) {
                unsent.clear();
                return;
            }
            unsent.remove();
        }
    }
}
