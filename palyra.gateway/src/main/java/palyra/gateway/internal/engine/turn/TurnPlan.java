package palyra.gateway.internal.engine.turn;

import java.util.List;
import palyra.api.model.ModelRequest;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.budget.Reservation;
import palyra.gateway.internal.settings.ModelTarget;

/**
 * One attempt of a turn: its announcement and the request it announces.
 *
 * @param target model that is asked
 * @param later targets that come after it when it is absent or fails
 * @param reservation what the attempt may cost
 */
public record TurnPlan(
        TapeEvent.TurnStarted started,
        ModelRequest request,
        ModelTarget target,
        List<ModelTarget> later,
        Reservation reservation) {
    String provider() {
        return target.provider();
    }

    /**
     * Returns the same attempt with a request to ask once more by, because its provider did not ask
     * its server. The attempt stays the last part of the request's id.
     */
    TurnPlan askedAgain(int times, long turnTimeoutMillis) {
        String id = request.runId() + "/" + started.turn() + "~" + times + "/" + started.attempt();
        return new TurnPlan(
                started,
                new ModelRequest(
                        id,
                        request.runId(),
                        request.model(),
                        request.messages(),
                        request.tools(),
                        request.testAgent(),
                        System.currentTimeMillis() + turnTimeoutMillis,
                        request.caller(),
                        request.maxOutputTokens(),
                        request.options()),
                target,
                later,
                reservation);
    }
}
