package palyra.gateway.internal.engine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.api.core.access.ToolAnswer;
import palyra.api.core.journal.Operation;
import palyra.api.core.tools.ToolLookup;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tool.ToolDescriptor;
import palyra.gateway.internal.fold.Call;
import palyra.gateway.internal.fold.RunHistory;
import palyra.shared.hash.Digests;

/** The steps of a run that concern tools: decide, start, recover, cancel. Used by one worker. */
final class ToolSteps {
    /** Collection of policy snapshots, keyed by their own digest. */
    static final String SNAPSHOTS = "policy_snapshot";

    private static final int MAX_PARALLEL = 4;
    private static final long SLICE_MILLIS = 100;

    private final RunContext run;
    private final RunLog log;
    private final Services services;
    private final ToolDecider decider;
    private final ToolRunner runner;
    private final Attester attester;
    private final WorkerFlags flags;
    private final Consumer<String> waitingFor;
    private List<Call> announced =
            List.of(); // calls whose start is on the tape and which were not started yet

    /**
     * Creates the steps of one run.
     *
     * @param waitingFor told what the run waits for, and the empty text when it goes on
     */
    ToolSteps(
            RunContext run,
            RunLog log,
            Services services,
            Mailbox mailbox,
            WorkerFlags flags,
            Consumer<String> waitingFor) {
        this.run = run;
        this.flags = flags;
        this.waitingFor = waitingFor;
        this.log = log;
        this.services = services;
        Circumstances circumstances = new Circumstances(run, services.journal());
        this.decider =
                new ToolDecider(
                        run, services.access(), circumstances, services.tools(), flags, waitingFor);
        this.runner = new ToolRunner(services.tools(), mailbox, flags, circumstances, log::confirm);
        this.attester = new Attester(services.keys(), services.ids(), flags);
    }

    /**
     * Decides calls; the decisions, what the model is told about refused ones, and the start of the
     * first allowed ones become durable together, before anything starts.
     */
    boolean decide(List<Call> calls, EngineSettings settings) {
        Map<String, ToolDescriptor> offered = awaitOffered(calls, settings);
        int used = log.history().callsProposed() - calls.size();
        List<TapeEvent> records = new ArrayList<>();
        Map<String, Operation> snapshots = new LinkedHashMap<>();
        for (Call call : calls) {
            int left = settings.maxCallsPerRun() - used++;
            Optional<ToolDecider.Decided> decided =
                    decider.decide(call, offered, Math.max(0, left), settings);
            if (decided.isEmpty()) {
                return true; // a flag was raised; nothing was decided
            }
            record(call, decided.get(), records, snapshots);
        }
        RunHistory ahead = log.history().fork();
        long seq = ahead.seq();
        for (TapeEvent record : records) {
            ahead.apply(++seq, 0, record);
        }
        List<Call> group = group(ahead.readyCalls(), offered);
        group.forEach(call -> records.add(startOf(call, 1)));
        log.commit(records, List.copyOf(snapshots.values()));
        services.knownSnapshots().addAll(snapshots.keySet());
        announced = startedNow(group);
        return true;
    }

    private void record(
            Call call,
            ToolDecider.Decided decided,
            List<TapeEvent> records,
            Map<String, Operation> snapshots) {
        ToolAnswer answer = decided.answer();
        byte[] snapshot = answer.snapshotJson().getBytes(StandardCharsets.UTF_8);
        String digest = Digests.sha256Hex(snapshot);
        if (!services.knownSnapshots().contains(digest)) {
            snapshots.put(digest, new Operation.PutDocument(SNAPSHOTS, digest, snapshot));
        }
        records.add(Decisions.event(call, answer, decided.factsSha256(), digest));
        if (answer.verdict() == Verdict.DENY) {
            records.add(refused(call, answer.reason()));
        }
    }

    /** Returns what the model is told about a call that never starts. */
    TapeEvent.ToolCallOutput refused(Call call, String why) {
        return new TapeEvent.ToolCallOutput(
                call.callId(), 0, call.proposal().tool(), Outcome.DENIED, "{}", why);
    }

    /** The calls that start next: one, or several in a row that only read. */
    private static List<Call> group(List<Call> ready, Map<String, ToolDescriptor> offered) {
        List<Call> group = new ArrayList<>();
        for (Call call : ready) {
            boolean reads =
                    offered.containsKey(call.proposal().tool())
                            && offered.get(call.proposal().tool()).readOnly();
            if (group.size() == MAX_PARALLEL || (!group.isEmpty() && !reads)) {
                break;
            }
            group.add(call);
            if (!reads) {
                break;
            }
        }
        return group;
    }

    private static TapeEvent.ToolStarted startOf(Call call, int attempt) {
        return new TapeEvent.ToolStarted(
                call.callId(),
                attempt,
                call.proposal().tool(),
                Digests.sha256Hex(call.proposal().inputJson()));
    }

    private List<Call> startedNow(List<Call> group) {
        List<String> ids = group.stream().map(Call::callId).toList();
        return log.history().openCalls().stream()
                .filter(call -> ids.contains(call.callId()))
                .toList();
    }

    /**
     * Starts the next calls, which are decided and not announced; returns the records of how they
     * ended.
     */
    List<TapeEvent> start(EngineSettings settings) {
        Map<String, ToolDescriptor> offered = awaitOffered(log.history().readyCalls(), settings);
        List<Call> group = group(log.history().readyCalls(), offered);
        log.commit(group.stream().map(call -> startOf(call, 1)).toList(), List.of());
        return started(startedNow(group), offered, settings);
    }

    /**
     * Goes on with calls whose start is on the tape: those just announced are started, others are
     * asked about.
     */
    List<TapeEvent> recover(List<Call> calls, EngineSettings settings) {
        if (!announced.isEmpty()) {
            List<Call> fresh = announced;
            announced = List.of();
            return started(fresh, offered(), settings);
        }
        // The executor of a call may come up after the engine: only its word, or its absence for
        // long, makes a call lost.
        Map<String, ToolDescriptor> offered = awaitOffered(calls, settings);
        List<ToolRunner.Started> lost = new ArrayList<>();
        for (Call call : calls) {
            ToolDescriptor descriptor = offered.get(call.proposal().tool());
            boolean unknown =
                    services.tools().attach(call.callId(), call.attempt(), outcome -> {})
                            instanceof ToolLookup.Unknown;
            if (unknown && descriptor != null && descriptor.idempotent()) {
                return again(call, descriptor, settings);
            }
            lost.add(new ToolRunner.Started(call, descriptor));
        }
        return ended(lost, runner.recover(lost));
    }

    /**
     * Returns the tools on offer, after waiting, bounded, for those of {@code calls} that the agent
     * may use and nobody offers now: their bundle may come up after the engine, or be replaced. A
     * flag ends the wait.
     */
    private Map<String, ToolDescriptor> awaitOffered(List<Call> calls, EngineSettings settings) {
        long deadline =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.unavailableWaitMillis());
        boolean told = false;
        Map<String, ToolDescriptor> offered = offered();
        Optional<String> absent = absent(calls, offered);
        while (absent.isPresent() && !flags.raised() && System.nanoTime() < deadline) {
            if (!told) {
                told = true;
                waitingFor.accept("waiting for tool " + absent.get());
            }
            pause(absent.get());
            offered = offered();
            absent = absent(calls, offered);
        }
        if (flags.stopping()) {
            throw new Halt("the engine stops");
        }
        if (told) {
            waitingFor.accept("");
        }
        return offered;
    }

    private Optional<String> absent(List<Call> calls, Map<String, ToolDescriptor> offered) {
        return calls.stream()
                .map(call -> call.proposal().tool())
                .filter(tool -> run.agent().tools().contains(tool) && !offered.containsKey(tool))
                .findFirst();
    }

    private void pause(String tool) {
        try {
            services.tools().find(tool, SLICE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Halt("interrupted");
        }
    }

    private List<TapeEvent> again(Call call, ToolDescriptor descriptor, EngineSettings settings) {
        log.commit(List.of(startOf(call, call.attempt() + 1)), List.of());
        Call started = startedNow(List.of(call)).get(0);
        return started(List.of(started), Map.of(descriptor.name(), descriptor), settings);
    }

    private List<TapeEvent> started(
            List<Call> group, Map<String, ToolDescriptor> offered, EngineSettings settings) {
        List<ToolRunner.Started> calls =
                group.stream()
                        .map(
                                call ->
                                        new ToolRunner.Started(
                                                call, offered.get(call.proposal().tool())))
                        .toList();
        return ended(calls, runner.start(run, calls, settings.unavailableWaitMillis()));
    }

    private List<TapeEvent> ended(List<ToolRunner.Started> calls, List<ToolOutcome> outcomes) {
        List<TapeEvent> records = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i).call();
            TapeEvent.ToolCallOutput output = ToolRunner.record(call, outcomes.get(i));
            records.add(output);
            records.add(attester.attest(call, output, outcomes.get(i)));
        }
        return records;
    }

    /** Returns an outcome for every call that has none: started ones are stopped first. */
    List<TapeEvent> cancelled(RunHistory history) {
        List<TapeEvent> records = new ArrayList<>();
        List<ToolRunner.Started> running = new ArrayList<>();
        for (Call call : history.openCalls()) {
            if (call.attempt() > 0 && !isAnnounced(call)) {
                running.add(new ToolRunner.Started(call, null));
            } else {
                records.add(
                        new TapeEvent.ToolCallOutput(
                                call.callId(),
                                call.attempt(),
                                call.proposal().tool(),
                                Outcome.CANCELLED,
                                "{}",
                                "The run was cancelled."));
            }
        }
        records.addAll(ended(running, runner.recover(running)));
        return records;
    }

    private boolean isAnnounced(Call call) {
        return announced.stream().anyMatch(one -> one.callId().equals(call.callId()));
    }

    /** Lets executors forget calls whose outputs are on the tape. */
    void forget(List<TapeEvent> records) {
        for (TapeEvent record : records) {
            if (record instanceof TapeEvent.ToolCallOutput output) {
                services.tools().forget(output.callId());
            }
        }
    }

    private Map<String, ToolDescriptor> offered() {
        Map<String, ToolDescriptor> offered = new LinkedHashMap<>();
        services.tools().catalogue().forEach(tool -> offered.put(tool.name(), tool));
        return offered;
    }
}
