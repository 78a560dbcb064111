package palyra.gateway.internal.engine;

import java.util.List;
import palyra.api.model.ModelRequest;
import palyra.api.tape.TapeEvent;
import palyra.gateway.internal.budget.Reservation;
import palyra.gateway.internal.settings.Target;

/**
 * One attempt of a turn: its announcement and the request it announces.
 *
 * @param target model that is asked
 * @param later targets that come after it when it is absent or fails
 * @param reservation what the attempt may cost
 */
record TurnPlan(
        TapeEvent.TurnStarted started,
        ModelRequest request,
        Target target,
        List<Target> later,
        Reservation reservation) {
    String provider() {
        return target.provider();
    }
}
