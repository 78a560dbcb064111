package palyra.simulation.world;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.PalyraException;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.gateway.internal.fold.RunHistory;
import palyra.shared.tape.TapeCodec;

/**
 * What must hold whatever happened. Safety: each tape is legal, nothing stands twice, and no effect
 * happened more often, or without a record before it, than its tape says. Liveness: what was
 * acknowledged has an end or a stated reason.
 */
final class Oracle {
    private static final int PAGE = 200;

    private final Journal journal;
    private final Effects effects;
    private final Set<String> planted;
    private final List<String> wrong = new ArrayList<>();

    /**
     * Creates one.
     *
     * @param planted runs into whose tapes something illegal was written from outside
     */
    Oracle(Journal journal, Effects effects, Set<String> planted) {
        this.journal = journal;
        this.effects = effects;
        this.planted = planted;
    }

    /** Returns why an acknowledged message is not settled; empty when it is. */
    static Optional<String> unsettled(Journal journal, Client.Ack ack) {
        Optional<InboxRow> found = journal.inbox(ack.messageId());
        if (found.isEmpty()) {
            return Optional.of(ack + " is not in the inbox");
        }
        InboxRow row = found.get();
        if (row.state() == InboxRow.State.REJECTED) {
            return row.reason().isEmpty()
                    ? Optional.of(ack + " was rejected without a reason")
                    : Optional.empty();
        }
        if (row.state() != InboxRow.State.ROUTED) {
            return Optional.of(ack + " is " + row.state() + " in the inbox");
        }
        Optional<RunRow> run = journal.run(row.runId());
        if (run.isEmpty()) {
            return Optional.of(ack + " has no run " + row.runId());
        }
        RunState state = run.get().state();
        boolean stated = state == RunState.QUARANTINED && !run.get().reason().isEmpty();
        return state.terminal() || stated ? Optional.empty() : Optional.of(ack + ": " + run.get());
    }

    /** Returns what is wrong, one sentence each. */
    List<String> safety() {
        Map<String, String> runOfKey = new HashMap<>();
        Set<String> started = new HashSet<>();
        String after = "";
        Set<RunState> all = EnumSet.allOf(RunState.class);
        for (List<RunRow> page = journal.runsIn(all, "", after, PAGE);
                !page.isEmpty();
                page = journal.runsIn(all, "", after, PAGE)) {
            for (RunRow row : page) {
                look(row, runOfKey, started);
            }
            after = page.getLast().runId();
        }
        for (String callId : effects.calls()) {
            if (!started.contains(callId)) {
                wrong.add("call " + callId + " had its effect, and no tape says that it started");
            }
        }
        wrong.addAll(effects.wrong());
        return wrong;
    }

    private void look(RunRow row, Map<String, String> runOfKey, Set<String> started) {
        RunHistory history = new RunHistory();
        Set<String> once = new HashSet<>();
        RunState last = null;
        for (TapeRecord record : tape(row.runId())) {
            TapeEvent event = TapeCodec.event(record);
            String where = "run " + row.runId() + ", record " + record.seq() + ", " + event;
            if (last != null && last.terminal() && !(event instanceof TapeEvent.ToolAttestation)) {
                wrong.add(where + ": after the end");
            }
            if (!planted.contains(row.runId())) {
                try {
                    history.apply(record.seq(), record.timeMillis(), event);
                } catch (PalyraException | IllegalStateException e) {
                    wrong.add(where + ": " + e.getMessage());
                    return;
                }
            }
            String key = keyOf(event);
            if (!key.isEmpty() && !once.add(key) && !planted.contains(row.runId())) {
                wrong.add(where + ": stands twice");
            }
            switch (event) {
                case TapeEvent.RunStateChanged changed -> last = changed.state();
                case TapeEvent.ToolStarted call -> started.add(call.callId());
                case TapeEvent.ToolCallOutput output -> hadEffect(where, output);
                case TapeEvent.Message said when said.role() == TapeEvent.Role.USER ->
                        oneRun(said, row.runId(), runOfKey);
                default -> {} // nothing more to know
            }
        }
        if (row.state().terminal() != (last != null && last.terminal())) {
            wrong.add(row + ": its tape says " + last);
        }
    }

    private void oneRun(TapeEvent.Message said, String runId, Map<String, String> runOfKey) {
        String key = said.text().substring(0, said.text().indexOf(' '));
        String other = runOfKey.putIfAbsent(key, runId);
        if (other != null && !other.equals(runId)) {
            wrong.add("message " + key + " was answered by " + other + " and by " + runId);
        }
    }

    private void hadEffect(String where, TapeEvent.ToolCallOutput output) {
        if (output.outcome() == TapeEvent.Outcome.SUCCEEDED && effects.of(output.callId()) == 0) {
            wrong.add(where + ": nothing happened");
        }
    }

    /** Returns a text that at most one record of a legal tape has; empty when there may be many. */
    private static String keyOf(TapeEvent event) {
        return switch (event) {
            case TapeEvent.TurnStarted r -> "turn_started " + r.turn() + "." + r.attempt();
            case TapeEvent.TurnFinished r -> "turn_finished " + r.turn();
            case TapeEvent.ToolCallProposal r -> "proposal " + r.callId();
            case TapeEvent.ToolStarted r -> "started " + r.callId() + "." + r.attempt();
            case TapeEvent.ToolCallOutput r -> "output " + r.callId();
            case TapeEvent.ApprovalDecision r -> "answer " + r.approvalId();
            case TapeEvent.ApprovalRequest r -> "question " + r.approvalId();
            case TapeEvent.Message r -> r.role() + " " + r.messageId();
            case TapeEvent.RunStateChanged r -> r.state().terminal() ? "end" : "";
            default -> "";
        };
    }

    private List<TapeRecord> tape(String runId) {
        List<TapeRecord> all = new ArrayList<>();
        for (List<TapeRecord> page = journal.tape(runId, 0, PAGE);
                !page.isEmpty();
                page = journal.tape(runId, all.getLast().seq(), PAGE)) {
            all.addAll(page);
        }
        return all;
    }
}
