package palyra.channels.internal.command;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.Approvals;
import palyra.api.channel.ConnectorId;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.api.run.SubmittedMessage;
import palyra.channels.internal.approval.Cards;
import palyra.channels.internal.route.RouteRule;
import palyra.shared.gate.Gate;
import palyra.shared.outcome.Commits;
import palyra.shared.run.SubmissionCodec;

/**
 * Does what people tell the gateway in a conversation, with the rights of the principal that their
 * messages have there. Each effect made twice is one, so what a crash interrupted is done again.
 * Thread-safe.
 */
public final class ConversationCommands {
    private static final String HELP =
            """
            - `/new` begins a new conversation here
            - `/stop` cancels what works or waits here
            - `/status` tells what works and what waits here
            - `/agent` tells which agent answers; `/agent NAME` chooses one
            - `/help` shows this""";

    private static final String BIND = "agent.bind";
    private static final Set<RunState> GOING =
            EnumSet.of(
                    RunState.ACCEPTED,
                    RunState.RUNNING,
                    RunState.AWAITING_APPROVAL,
                    RunState.QUARANTINED);
    private static final int PAGE = 200;
    private static final int MOST_SHOWN = 5;
    private static final int MOST_AGENTS = 20;

    private final Gate<Runs> runs;
    private final Gate<Approvals> approvals;
    private final Gate<AgentRegistry> agents;
    private final Gate<Access> access;
    private final Gate<Journal> journal;
    private final InstantSource clock;

    /** Creates it over the services that do it. */
    public ConversationCommands(
            Gate<Runs> runs,
            Gate<Approvals> approvals,
            Gate<AgentRegistry> agents,
            Gate<Access> access,
            Gate<Journal> journal,
            InstantSource clock) {
        this.runs = runs;
        this.approvals = approvals;
        this.agents = agents;
        this.access = access;
        this.journal = journal;
        this.clock = clock;
    }

    /**
     * Where a command was given.
     *
     * @param principal on whose behalf runs of the conversation work
     * @param rule rule that routes its messages
     * @param message what a message in place of the command would be
     */
    public record Place(
            ConnectorId connector, Principal principal, RouteRule rule, SubmittedMessage message) {}

    /**
     * Refuses whose messages would be refused.
     *
     * @throws PalyraException DENIED, POLICY_UNAVAILABLE
     */
    public void requireAnswered(Place place) {
        Map<String, String> facts =
                Map.of(
                        "surface", place.message().surface(),
                        "agent", place.message().agentId(),
                        "origin", place.message().originKind(),
                        "channel", place.message().channel());
        Principal principal = place.principal();
        AccessRequest question =
                new AccessRequest(principal, "run.start", "", principal.id(), facts);
        access.call(present -> present.authorizeRead(question));
    }

    /**
     * Does what was asked for.
     *
     * @return what to say, in CommonMark: also why it was not done
     * @throws PalyraException when it can be done later
     */
    public String obey(Place place, ConversationCommand.Given given) {
        try {
            return switch (given.command()) {
                case NEW -> begin(place);
                case STOP -> stop(place);
                case STATUS -> status(place);
                case AGENT ->
                        given.argument().isEmpty() ? agent(place) : choose(place, given.argument());
                case HELP -> HELP;
            };
        } catch (PalyraException e) {
            if (!isFinal(given.command(), e.code())) {
                throw e;
            }
            return "That was not done: " + e.getMessage();
        }
    }

    /** What passes is waited for; agents are known to the gateway alone, which may be away long. */
    private static boolean isFinal(ConversationCommand command, ErrorCode code) {
        return switch (code) {
            case DENIED, NOT_FOUND, CONFLICT, INVALID_ARGUMENT, CORRUPT, INTERNAL -> true;
            case GATEWAY_UNAVAILABLE -> command == ConversationCommand.AGENT;
            default -> false;
        };
    }

    private Optional<SessionView> session(Place place) {
        return journal.call(
                store -> store.sessionByKey(place.principal().id(), place.message().sessionKey()));
    }

    private String begin(Place place) {
        boolean free =
                waiting(place).isEmpty()
                        && session(place).map(one -> archived(place, one)).orElse(true);
        return free
                ? "The next message begins a new conversation."
                : "Something still works or waits here. Write `/stop`, or wait for it, and then"
                        + " `/new` again.";
    }

    /** False while a run of it is going. */
    private boolean archived(Place place, SessionView session) {
        try {
            runs.call(front -> front.archiveSession(place.principal(), session.sessionId()));
            return true;
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
            return false;
        }
    }

    private String stop(Place place) {
        int stopped = 0;
        for (InboxRow row : waiting(place)) {
            stopped += withdraw(row) ? 1 : 0;
        }
        for (RunRow run : session(place).map(this::going).orElse(List.of())) {
            boolean active =
                    runs.call(
                            front ->
                                    front.cancel(
                                            place.principal(),
                                            run.runId(),
                                            "Stopped by /stop in its conversation."));
            stopped += active ? 1 : 0;
        }
        return stopped == 0 ? "Nothing works or waits here." : "Stopped: " + stopped + ".";
    }

    private List<RunRow> going(SessionView session) {
        List<RunRow> all = new ArrayList<>();
        String after = "";
        while (true) {
            String from = after;
            List<RunRow> page =
                    journal.call(store -> store.runsIn(GOING, session.sessionId(), from, PAGE));
            all.addAll(page);
            if (page.size() < PAGE) {
                return all;
            }
            after = page.getLast().runId();
        }
    }

    /** Returns messages of the conversation that wait for the gateway. */
    private List<InboxRow> waiting(Place place) {
        List<InboxRow> all = new ArrayList<>();
        String after = "";
        while (true) {
            String from = after;
            List<InboxRow> page =
                    journal.call(store -> store.inboxIn(InboxRow.State.QUEUED, from, PAGE));
            page.stream().filter(row -> isOf(place, row)).forEach(all::add);
            if (page.size() < PAGE) {
                return all;
            }
            after = page.getLast().messageId();
        }
    }

    private static boolean isOf(Place place, InboxRow row) {
        return row.surface().equals(place.connector().toString())
                && row.principal().equals(place.principal().id())
                && SubmissionCodec.message(row.payload())
                        .sessionKey()
                        .equals(place.message().sessionKey());
    }

    /** As an edit or deletion of it would; false when its run was begun meanwhile. */
    private boolean withdraw(InboxRow row) {
        try {
            Commits.commit(
                    journal,
                    Unit.builder()
                            .require(new Precondition.InboxIn(row.messageId(), row.state()))
                            .add(
                                    new Operation.SettleInbox(
                                            row.messageId(),
                                            InboxRow.State.REJECTED,
                                            "",
                                            "stopped"))
                            .build());
            return true;
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.CONFLICT) {
                throw e;
            }
            return false;
        }
    }

    private String status(Place place) {
        List<String> lines = new ArrayList<>();
        lines.add(answering(place));
        List<RunView> going =
                session(place).stream()
                        .flatMap(one -> going(one).stream())
                        .limit(MOST_SHOWN)
                        .flatMap(
                                row ->
                                        runs
                                                .call(
                                                        front ->
                                                                front.run(
                                                                        place.principal(),
                                                                        row.runId()))
                                                .stream())
                        .toList();
        going.forEach(run -> lines.addAll(told(place, run)));
        int waiting = waiting(place).size();
        if (waiting > 0) {
            lines.add("Waits for the gateway: " + messages(waiting) + ".");
        }
        if (going.isEmpty() && waiting == 0) {
            lines.add("Nothing works or waits here.");
        }
        return lines.stream().map(line -> "- " + line).collect(Collectors.joining("\n"));
    }

    private static String messages(int count) {
        return count + (count == 1 ? " message" : " messages");
    }

    private List<String> told(Place place, RunView run) {
        long minutes = (clock.millis() - run.createdAtMillis()) / 60_000;
        String since = " (asked " + minutes + " min ago)";
        String why = run.reason().isBlank() ? "" : ": " + run.reason().strip();
        return switch (run.state()) {
            case AWAITING_APPROVAL -> waits(place, run, since);
            case RUNNING -> List.of("Works" + since + why);
            case QUARANTINED -> List.of("Set aside, for an operator to look at" + since + why);
            default -> List.of("Waits for its turn" + since + why);
        };
    }

    private List<String> waits(Place place, RunView run, String since) {
        List<ApprovalView> asked =
                approvals.call(
                        front -> front.pending(place.principal(), run.runId(), "", MOST_SHOWN));
        if (asked.isEmpty()) {
            return List.of("Waits for an approval" + since);
        }
        return asked.stream()
                .map(
                        one ->
                                "Waits for an approval"
                                        + since
                                        + ": "
                                        + one.prompt().title()
                                        + " (an approver writes `yes "
                                        + Cards.code(one.approvalId())
                                        + "` or `no "
                                        + Cards.code(one.approvalId())
                                        + "`)")
                .toList();
    }

    /** Returns one line. DENIED. */
    private String answering(Place place) {
        access.call(
                present ->
                        present.authorizeRead(
                                AccessRequest.of(place.principal(), "agent.read", "")));
        if (!place.rule().agent().isEmpty()) {
            return "Agent: `" + place.rule().agent() + "`, the only one of this conversation.";
        }
        String sessionId = session(place).map(SessionView::sessionId).orElse("");
        try {
            AgentRegistry.Resolution found =
                    registry(
                            all ->
                                    all.resolve(
                                            place.principal().id(),
                                            place.message().channel(),
                                            sessionId));
            return "Agent: `" + found.agent().agentId() + "`" + because(found.source());
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.GATEWAY_UNAVAILABLE) {
                throw e;
            }
            return "Agent: not known while the gateway is being replaced.";
        }
    }

    private static String because(AgentRegistry.Source source) {
        return switch (source) {
            case SESSION_BINDING -> ", that of this conversation.";
            case CONTEXT_BINDING -> ", which an operator chose for you.";
            case DEFAULT -> ", the default.";
        };
    }

    private <T> T registry(Function<AgentRegistry, T> call) {
        return agents.call(call);
    }

    private String agent(Place place) {
        String line = answering(place);
        if (!place.rule().agent().isEmpty()) {
            return line;
        }
        List<String> usable =
                registry(AgentRegistry::agents).stream()
                        .map(AgentView::agentId)
                        .limit(MOST_AGENTS)
                        .filter(name -> mayBind(place, name))
                        .toList();
        return usable.isEmpty()
                ? line + " You may choose no other one."
                : line + " You may choose with `/agent NAME`: " + String.join(", ", usable) + ".";
    }

    private static AccessRequest bind(Place place, String agent) {
        return AccessRequest.of(place.principal(), BIND, "agent:" + agent);
    }

    private boolean mayBind(Place place, String agent) {
        try {
            access.call(present -> present.authorizeRead(bind(place, agent)));
            return true;
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.DENIED) {
                throw e;
            }
            return false;
        }
    }

    private String choose(Place place, String name) {
        if (!place.rule().agent().isEmpty()) {
            return "In this conversation `"
                    + place.rule().agent()
                    + "` always answers, and no other agent can be chosen. The operator of this bot"
                    + " can change that.";
        }
        AccessRequest question = bind(place, name);
        Authorized permit = access.call(present -> present.authorize(question));
        if (registry(all -> all.agent(name)).isEmpty()) {
            return "There is no agent `" + name + "`. Write `/agent` to see which there are.";
        }
        String sessionId =
                session(place).map(SessionView::sessionId).orElseGet(() -> resolved(place));
        agents.run(all -> all.bindSession(permit, sessionId, name));
        return "`" + name + "` answers here from the next message on, until `/new`.";
    }

    /** Returns the session that the next message would go to. */
    private String resolved(Place place) {
        SubmittedMessage message = place.message();
        SessionQuery query =
                new SessionQuery(
                        "",
                        message.sessionKey(),
                        message.deviceId(),
                        message.channel(),
                        message.sessionLabel(),
                        false,
                        false);
        return runs.call(front -> front.resolveSession(place.principal(), query))
                .session()
                .sessionId();
    }
}
