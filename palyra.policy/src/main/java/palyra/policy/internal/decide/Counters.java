package palyra.policy.internal.decide;

import java.util.concurrent.atomic.LongAdder;
import palyra.api.core.access.PolicyDecision;

/** Counts what an engine does. Thread-safe. */
final class Counters {
    final LongAdder confirmed = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder unconfirmed = new LongAdder();
    final LongAdder shadowed = new LongAdder();
    final LongAdder shadowSkipped = new LongAdder();
    final LongAdder differences = new LongAdder();
    private final LongAdder decisions = new LongAdder();
    private final LongAdder denied = new LongAdder();
    private final LongAdder approvals = new LongAdder();

    PolicyDecision count(PolicyDecision answer) {
        decisions.increment();
        switch (answer.outcome()) {
            case DENY -> denied.increment();
            case ALLOW_IF_APPROVED -> approvals.increment();
            case ALLOW -> {}
        }
        return answer;
    }

    EngineCounts counts() {
        return new EngineCounts(
                decisions.sum(),
                denied.sum(),
                approvals.sum(),
                confirmed.sum(),
                refused.sum(),
                unconfirmed.sum(),
                shadowed.sum(),
                shadowSkipped.sum(),
                differences.sum());
    }
}
