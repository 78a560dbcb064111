package palyra.gateway.internal.engine.tool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.tools.ToolLookup;
import palyra.api.core.tools.ToolOutcome;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolDescriptor;
import palyra.gateway.internal.approval.ApprovalMeter;
import palyra.gateway.internal.approval.GrantUses;
import palyra.gateway.internal.engine.run.Mailbox;
import palyra.gateway.internal.engine.run.RunContext;
import palyra.gateway.internal.engine.run.RunLog;
import palyra.gateway.internal.engine.run.RunOrigin;
import palyra.gateway.internal.engine.run.WorkerFlags;
import palyra.gateway.internal.fold.ResultImages;
import palyra.gateway.internal.fold.RunHistory;
import palyra.gateway.internal.seam.Services;
import palyra.gateway.internal.settings.EngineSettings;
import palyra.shared.fold.ApprovalProgress;
import palyra.shared.fold.Call;

/** The steps of a run that concern tools: decide, start, recover, cancel. Used by one worker. */
public final class ToolSteps {
    private final RunContext run;
    private final RunLog log;
    private final Services services;
    private final ToolDecider decider;
    private final ToolRunner runner;
    private final Attester attester;
    private final AvailableTools offer;
    private final BooleanSupplier seen;
    private final GrantUses uses = new GrantUses();
    private List<Call> announced =
            List.of(); // calls whose start is on the tape and which were not started yet

    /**
     * Creates the steps of one run.
     *
     * @param waitingFor told what the run waits for, and the empty text when it goes on
     * @param seen whether a model of the agent may see images
     */
    public ToolSteps(
            RunContext run,
            RunLog log,
            Services services,
            Mailbox mailbox,
            WorkerFlags flags,
            Consumer<String> waitingFor,
            BooleanSupplier seen) {
        this.run = run;
        this.seen = seen;
        this.log = log;
        this.services = services;
        RunOrigin origin = new RunOrigin(run, services.journal());
        this.offer = new AvailableTools(run, services.tools(), flags, waitingFor);
        this.decider =
                new ToolDecider(run, services, log.secrets(), origin, offer, flags, waitingFor);
        this.runner = new ToolRunner(services.tools(), mailbox, flags, origin, log::confirm);
        this.attester = new Attester(services.keys(), services.ids(), flags);
    }

    /**
     * Decides calls, and once more those that an earlier unit allowed under a grant; the decisions,
     * the approval requests, the outputs of refused calls for the model, and the start of the first
     * allowed ones become durable together, before anything starts. One that has to wait for an
     * earlier call of its step is left undecided.
     */
    public void decide(List<Call> calls, EngineSettings settings) {
        List<Call> due = due(calls);
        Map<String, ToolDescriptor> offered = offer.await(due, settings);
        DecisionUnit unit = new DecisionUnit(services.knownSnapshots());
        WorkspaceOrder order = new WorkspaceOrder(offered);
        uses.begin();
        for (Call call : log.history().openCalls()) {
            if (!due.contains(call)) {
                order.passed(call);
                continue;
            }
            Optional<CallDecision> decided = decider.decide(call, offered, uses, settings);
            if (decided.isEmpty()) {
                return; // a flag was raised; nothing was decided
            }
            if (!order.holds(call, decided.get().answer().verdict())) {
                unit.add(call, decided.get());
            }
        }
        if (!offer.unchanged(due, offered)) {
            return; // a tool was replaced meanwhile by another version: nothing was decided
        }
        List<Call> group = AvailableTools.group(unit.after(log.history()).readyCalls(), offered);
        unit.start(group);
        if (commit(unit)) {
            due.stream().filter(Call::approved).forEach(this::measure);
            services.approvals().requested(unit.questions());
            announced = startedNow(group);
        }
    }

    /** In the order of proposal. What a grant allowed before is decided right before its start. */
    private List<Call> due(List<Call> calls) {
        Set<Call> due = new TreeSet<>(Comparator.comparingInt(Call::ordinal));
        due.addAll(calls);
        log.history().readyCalls().stream().filter(Call::underGrant).forEach(due::add);
        return List.copyOf(due);
    }

    /** Returns false when a grant ended meanwhile: nothing was written, decide again. */
    private boolean commit(DecisionUnit unit) {
        try {
            log.commit(unit.events(), unit.operations());
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT || unit.usedGrants().isEmpty()) {
                throw e;
            }
            unit.usedGrants().forEach(uses::refused);
            return false;
        }
        services.knownSnapshots().addAll(unit.snapshots());
        return true;
    }

    private void measure(Call call) {
        ApprovalProgress asking = call.asking();
        ApprovalMeter.Outcome outcome =
                asking.answer().granted()
                        ? ApprovalMeter.Outcome.GRANTED
                        : asking.expired()
                                ? ApprovalMeter.Outcome.EXPIRED
                                : ApprovalMeter.Outcome.DENIED;
        services.approvals().ended(outcome, asking.answeredAtMillis() - asking.askedAtMillis());
    }

    /** Tells the model why a call that people were asked about is not made. */
    public void refuse(Call call) {
        log.commit(List.of(DecisionUnit.refused(call, call.asking().refusal())), List.of());
        if (call.asking().answer() != null) {
            measure(call);
        }
    }

    /** Returns whether what starts next was allowed under a grant in an earlier unit. */
    public boolean startsUnderGrant() {
        return AvailableTools.group(log.history().readyCalls(), offer.now()).stream()
                .anyMatch(Call::underGrant);
    }

    private List<Call> startedNow(List<Call> group) {
        List<String> ids = group.stream().map(Call::callId).toList();
        return log.history().openCalls().stream()
                .filter(call -> ids.contains(call.callId()))
                .toList();
    }

    /**
     * Starts the next calls, which are decided, under no grant, and not announced; returns the
     * records of how they ended.
     */
    public List<TapeEvent> start(EngineSettings settings) {
        Map<String, ToolDescriptor> offered = offer.await(log.history().readyCalls(), settings);
        List<Call> group =
                AvailableTools.group(log.history().readyCalls(), offered).stream()
                        .takeWhile(call -> !call.underGrant())
                        .toList();
        if (group.isEmpty()) {
            return List.of(); // a group that changed a moment ago is decided again
        }
        log.commit(group.stream().map(call -> DecisionUnit.startOf(call, 1)).toList(), List.of());
        return started(startedNow(group), offered, settings);
    }

    /**
     * Goes on with calls whose start is on the tape: those just announced are started, others are
     * asked about. One that is lost is repeated when its tool is idempotent and its executor says
     * that it may: it may have been what ended the process. A call that needed a person's word is
     * not repeated, even if that were harmless: the word was for one start.
     */
    public List<TapeEvent> recover(List<Call> calls, EngineSettings settings) {
        if (!announced.isEmpty()) {
            List<Call> fresh = announced;
            announced = List.of();
            return started(fresh, offer.now(), settings);
        }
        // The executor of a call may come up after the engine: only its word, or its absence for
        // long, makes a call lost.
        Map<String, ToolDescriptor> offered = offer.await(calls, settings);
        List<ToolRunner.Started> lost = new ArrayList<>();
        for (Call call : calls) {
            ToolDescriptor descriptor = offered.get(call.proposal().tool());
            boolean unknown =
                    services.tools().attach(call.callId(), call.attempt(), outcome -> {})
                            instanceof ToolLookup.Unknown;
            if (unknown && mayRepeat(call, descriptor)) {
                return again(call, descriptor, settings);
            }
            lost.add(new ToolRunner.Started(call, descriptor));
        }
        return ended(lost, runner.recover(run, lost));
    }

    private boolean mayRepeat(Call call, ToolDescriptor descriptor) {
        return descriptor != null
                && descriptor.idempotent()
                && !call.underGrant()
                && services.tools().mayRepeat(descriptor.name(), call.callId(), call.attempt());
    }

    private List<TapeEvent> again(Call call, ToolDescriptor descriptor, EngineSettings settings) {
        log.commit(List.of(DecisionUnit.startOf(call, call.attempt() + 1)), List.of());
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
        List<TapeEvent.ToolCallOutput> ofTurn = new ArrayList<>();
        log.history().calls().stream()
                .filter(call -> !call.open())
                .forEach(call -> ofTurn.add(call.output()));
        if (!calls.isEmpty()) {
            log.readLent(); // what they used is searched for in what they put out
        }
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i).call();
            TapeEvent.ToolCallOutput output =
                    ResultImages.recorded(
                            log.withoutSecrets(ToolRunner.record(call, outcomes.get(i))),
                            seen,
                            ofTurn);
            ofTurn.add(output);
            records.add(output);
            boolean withheld = log.secrets().withholds(call.callId());
            records.add(attester.attest(call, withheld, output, outcomes.get(i)));
        }
        return records;
    }

    /** Returns an outcome for every call that has none: started ones are stopped first. */
    public List<TapeEvent> cancelled(RunHistory history) {
        List<TapeEvent> records = new ArrayList<>();
        List<ToolRunner.Started> running = new ArrayList<>();
        for (Call call : history.openCalls()) {
            if (call.attempt() > 0 && !isAnnounced(call)) {
                running.add(new ToolRunner.Started(call, null));
            } else if (call.denied()) { // a person said no before the run was cancelled
                records.add(DecisionUnit.refused(call, call.asking().refusal()));
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
        records.addAll(ended(running, runner.recover(run, running)));
        return records;
    }

    private boolean isAnnounced(Call call) {
        return announced.stream().anyMatch(one -> one.callId().equals(call.callId()));
    }

    /** Lets executors forget calls whose outputs are on the tape. */
    public void forget(List<TapeEvent> records) {
        for (TapeEvent record : records) {
            if (record instanceof TapeEvent.ToolCallOutput output) {
                services.tools().forget(output.callId());
            }
        }
    }
}
