package palyra.front.internal;

import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.run.ResolvedSession;
import palyra.api.run.SessionQuery;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.shared.gate.Gate;

/** A gateway of which a test plays a part; whatever else it is asked is a failure. */
class FakeIntake implements Intake {
    /** Returns a seam without a gateway. */
    static Gate<Intake> absent() {
        return new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    }

    @Override
    public Submission accept(InboxRow row, SubmittedMessage message, List<Operation> records) {
        throw new AssertionError("this gateway takes no messages");
    }

    @Override
    public ResolvedSession resolveSession(
            String principal, SessionQuery query, List<Operation> records) {
        throw new AssertionError("this gateway looks for no sessions");
    }

    @Override
    public int activeRuns() {
        return 0;
    }
}
