package palyra.gateway.internal.fold;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.shared.fold.Call;

/**
 * A tape as an engine writes it that always does what the history asks for next, while a model,
 * people and clients do as chance has it. One seed, one tape.
 */
final class RandomTape {
    private static final int MOST_TURNS = 6;

    private final Random chance;
    private final RunHistory history = new RunHistory();
    private final List<TapeEvent> tape = new ArrayList<>();
    private int asked;

    private RandomTape(long seed) {
        this.chance = new Random(seed);
    }

    /** Returns the records of a run from its beginning to its end. */
    static List<TapeEvent> of(long seed) {
        RandomTape tape = new RandomTape(seed);
        tape.write(new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, ""));
        tape.write(
                new TapeEvent.Message(
                        TapeEvent.Role.USER,
                        "Do \"it\", \u00e4\ud83d\ude00.",
                        "user:a",
                        "shell",
                        "m"));
        while (!(tape.history.next() instanceof Step.Done)) {
            tape.step(tape.history.next());
            tape.meanwhile();
        }
        return tape.tape;
    }

    private void write(TapeEvent event) {
        tape.add(event);
        history.apply(tape.size(), 1_000 + tape.size(), event);
    }

    /** What others put on a tape. */
    private void meanwhile() {
        if (chance.nextInt(3) == 0 && !history.state().terminal()) {
            String id = "e" + tape.size();
            write(new TapeEvent.ExternalEvent(id, "note", "user:b", "{\"id\":\"" + id + "\"}"));
        }
    }

    private void step(Step step) {
        switch (step) {
            case Step.Begin ignored -> state(RunState.RUNNING);
            case Step.AskModel ask -> turn(ask);
            case Step.Decide decide -> decide.calls().forEach(this::decide);
            case Step.Start start -> start(start.call());
            case Step.Recover recover ->
                    recover.calls().forEach(call -> output(call, Outcome.INTERRUPTED));
            case Step.Refuse refuse -> output(refuse.call(), Outcome.DENIED);
            case Step.AwaitPeople ignored -> state(RunState.AWAITING_APPROVAL);
            case Step.Waiting ignored -> answer(history.waitingCalls().getFirst());
            case Step.Resume ignored -> state(RunState.RUNNING);
            case Step.Answer answer -> state(RunState.SUCCEEDED);
            case Step.Park park -> throw new AssertionError(park);
            case Step.Done done -> throw new AssertionError(done);
        }
    }

    private void state(RunState state) {
        write(new TapeEvent.RunStateChanged(state, null, ""));
    }

    private void turn(Step.AskModel ask) {
        if (ask.attempt() > 1) {
            write(new TapeEvent.TurnRestarted(ask.turn(), ask.attempt(), "lost"));
        }
        write(
                new TapeEvent.TurnStarted(
                        ask.turn(),
                        ask.attempt(),
                        "main",
                        "p" + chance.nextInt(2),
                        "m",
                        "a1",
                        "b2",
                        "",
                        16,
                        tape.size() - chance.nextInt(3)));
        for (int i = chance.nextInt(4); i > 0; i--) {
            write(new TapeEvent.ModelThought(ask.turn(), ask.attempt(), "hm"));
            write(new TapeEvent.ModelToken(ask.turn(), ask.attempt(), "word "));
            meanwhile();
        }
        if (chance.nextInt(4) > 0) {
            finish(ask);
        }
    }

    private void finish(Step.AskModel ask) {
        List<ToolProposal> proposals = new ArrayList<>();
        int calls = ask.turn() >= MOST_TURNS ? 0 : chance.nextInt(4);
        for (int i = 0; i < calls; i++) {
            String id = "r." + ask.turn() + "." + i;
            proposals.add(new ToolProposal(id, "test.tool", "{\"text\":\"a\\n\\\"" + i + "\"}"));
        }
        write(
                new TapeEvent.TurnFinished(
                        ask.turn(), ask.attempt(), "said\n" + ask.turn(), "stop", proposals, 5, 6));
        for (int i = 0; i < calls; i++) {
            ToolProposal proposal = proposals.get(i);
            write(
                    new TapeEvent.ToolCallProposal(
                            proposal.callId(),
                            ask.turn(),
                            i,
                            proposal.toolName(),
                            proposal.inputJson()));
        }
    }

    private void decide(Call call) {
        Verdict verdict = call.approved() ? Verdict.ALLOW : Verdict.values()[chance.nextInt(3)];
        write(
                new TapeEvent.ToolDecision(
                        call.callId(),
                        call.proposal().tool(),
                        verdict,
                        "c",
                        "r",
                        "POLICY",
                        List.of("p1"),
                        "d",
                        "5e7",
                        "o",
                        List.of("x"),
                        "B",
                        "STRICT",
                        "CONFIRMED",
                        "{\"v\":1}",
                        "f",
                        call.approved() ? "g" : "",
                        call.approved() ? List.of("user:b") : List.of()));
        if (verdict == Verdict.APPROVAL_REQUIRED) {
            write(
                    new TapeEvent.ApprovalRequest(
                            "q" + ++asked, call.callId(), "{\"why\":\"so\"}", 9_000, "b", 2));
        }
    }

    private void start(Call call) {
        write(new TapeEvent.ToolStarted(call.callId(), 1, call.proposal().tool(), "i", "g"));
        if (chance.nextInt(5) > 0) {
            output(call, chance.nextBoolean() ? Outcome.SUCCEEDED : Outcome.FAILED);
            write(
                    new TapeEvent.ToolAttestation(
                            "a",
                            call.callId(),
                            "builtin",
                            "none",
                            7,
                            false,
                            "",
                            "",
                            "x",
                            "k",
                            "s"));
        }
    }

    private void output(Call call, Outcome outcome) {
        write(
                new TapeEvent.ToolCallOutput(
                        call.callId(), 1, call.proposal().tool(), outcome, "{\"n\":1.50}", "why"));
    }

    private void answer(Call call) {
        String id = call.asking().approvalId();
        boolean yes = chance.nextBoolean();
        write(new TapeEvent.ApprovalVoted(id, call.callId(), "user:b", "once", "fine", 1, 2));
        write(
                new TapeEvent.ApprovalDecision(
                        id,
                        call.callId(),
                        yes,
                        yes ? "once" : "",
                        chance.nextBoolean() ? "user:c" : "",
                        "because",
                        "exact",
                        "g",
                        List.of("user:b", "user:c")));
    }
}
