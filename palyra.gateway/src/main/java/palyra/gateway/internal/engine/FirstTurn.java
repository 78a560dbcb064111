package palyra.gateway.internal.engine;

import palyra.api.tape.TapeEvent;

/**
 * The first turn of a run, planned before the run is recorded so that both become durable together.
 */
public final class FirstTurn {
    private final RunContext run;
    private final TurnPlan plan;

    FirstTurn(RunContext run, TurnPlan plan) {
        this.run = run;
        this.plan = plan;
    }

    /** Returns the record that announces it. */
    public TapeEvent announcement() {
        return plan.started();
    }

    RunContext run() {
        return run;
    }

    TurnPlan plan() {
        return plan;
    }
}
