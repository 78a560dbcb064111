package palyra.shared.fold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;

class MachinesTest {
    @Test
    void terminalStatesHaveNoWayOut() {
        for (RunState terminal : List.of(RunState.SUCCEEDED, RunState.FAILED, RunState.CANCELLED)) {
            for (RunState to : RunState.values()) {
                assertThrows(
                        PalyraException.class,
                        () -> RunMachine.next(terminal, to),
                        terminal + " → " + to);
            }
        }
    }

    @Test
    void theRunMachineIsTheOneOfTheDesign() {
        List<String> allowed = new ArrayList<>();
        for (RunState to : RunState.values()) {
            RunMachine.before(to).forEach(from -> allowed.add(from + ">" + to));
        }
        allowed.sort(null);
        assertEquals(
                List.of(
                        "ACCEPTED>CANCELLED",
                        "ACCEPTED>FAILED",
                        "ACCEPTED>RUNNING",
                        "AWAITING_APPROVAL>CANCELLED",
                        "AWAITING_APPROVAL>FAILED",
                        "AWAITING_APPROVAL>RUNNING",
                        "QUARANTINED>CANCELLED",
                        "QUARANTINED>FAILED",
                        "RUNNING>AWAITING_APPROVAL",
                        "RUNNING>CANCELLED",
                        "RUNNING>FAILED",
                        "RUNNING>SUCCEEDED"),
                allowed);
    }

    @Test
    void aCallCannotEndBeforeItStartedNorBeDeniedAfter() {
        assertThrows(
                PalyraException.class,
                () -> CallMachine.ended(CallState.PROPOSED, Outcome.SUCCEEDED));
        assertThrows(
                PalyraException.class, () -> CallMachine.ended(CallState.STARTED, Outcome.DENIED));
        assertThrows(PalyraException.class, () -> CallMachine.started(CallState.DENIED));
        assertThrows(
                PalyraException.class, () -> CallMachine.decided(CallState.STARTED, Verdict.ALLOW));
        assertEquals(CallState.DONE, CallMachine.ended(CallState.STARTED, Outcome.TIMED_OUT));
    }
}
