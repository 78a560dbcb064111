package palyra.gateway.internal.engine.run;

import java.util.ArrayList;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Operation;
import palyra.api.model.ModelMessage;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.seam.Services;

/** Ends a run: the last records, the state and the one final answer become durable together. */
public final class RunFinisher {
    /** Listens for the durable end of a run, with what was said in it and its last text. */
    @FunctionalInterface
    public interface Listener {
        void ended(
                String sessionId,
                String runId,
                RunState as,
                List<ModelMessage> conversation,
                String text);
    }

    private final RunContext run;
    private final RunLog log;
    private final Services services;
    private final Listener whenDurable;

    public RunFinisher(RunContext run, RunLog log, Services services, Listener whenDurable) {
        this.run = run;
        this.log = log;
        this.services = services;
        this.whenDurable = whenDurable;
    }

    public void failed(ErrorCode code, String why) {
        failed(code, why, List.of());
    }

    /** {@code first} happens with it, before the run ends. */
    public void failed(ErrorCode code, String why, List<Operation> first) {
        end(List.of(), RunState.FAILED, code, why, first);
    }

    public void succeeded(List<TapeEvent> before, String answer, List<Operation> first) {
        end(before, RunState.SUCCEEDED, null, answer, first);
    }

    public void cancelled(List<TapeEvent> before, String why) {
        end(before, RunState.CANCELLED, null, why, List.of());
    }

    /**
     * Cancels without folding the tape, for a run that cannot be folded or should not be. Calls
     * whose start is on the tape are stopped first.
     */
    public void cancelledUnread(String why) {
        UnfinishedCalls.of(services.journal(), run.runId())
                .forEach(
                        callId -> {
                            services.tools().cancel(callId);
                            services.tools().forget(callId);
                        });
        String text = log.withoutSecrets(why);
        FinalRecords ending =
                FinalRecords.of(
                        run, services.ids().next(), List.of(), RunState.CANCELLED, null, text);
        log.commitUnread(ending.events(), ending.others());
        whenDurable.ended(run.sessionId(), run.runId(), RunState.CANCELLED, List.of(), text);
    }

    /** The text goes to people, so its secrets are redacted, also in messages of others. */
    private void end(
            List<TapeEvent> before,
            RunState state,
            ErrorCode code,
            String message,
            List<Operation> first) {
        String text = log.withoutSecrets(message);
        FinalRecords ending =
                FinalRecords.of(run, services.ids().next(), before, state, code, text);
        List<Operation> others = new ArrayList<>(first);
        others.addAll(ending.others());
        others.addAll(log.secrets().forgetLent());
        log.commit(ending.events(), others);
        whenDurable.ended(run.sessionId(), run.runId(), state, log.history().conversation(), text);
    }
}
