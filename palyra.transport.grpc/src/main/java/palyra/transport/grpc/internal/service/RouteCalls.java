package palyra.transport.grpc.internal.service;

import io.grpc.Context;
import io.grpc.Deadline;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.InboundMessage;
import palyra.api.core.gateway.AgentRegistry;
import palyra.api.core.gateway.MessageRules;
import palyra.api.run.RunEvent;
import palyra.api.run.RunPosition;
import palyra.api.run.RunState;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.shared.follow.LostContact;
import palyra.shared.follow.ResumingRunFollower;
import palyra.transport.grpc.internal.Seams;
import palyra.transport.grpc.internal.call.Caller;
import palyra.transport.grpc.internal.service.stream.RunStart;
import palyra.transport.grpc.internal.wire.gateway.OutboundMessage;
import palyra.transport.grpc.internal.wire.gateway.RouteMessageRequest;
import palyra.transport.grpc.internal.wire.gateway.RouteMessageResponse;

/**
 * Routes messages from channels by the rules for {@code grpc:CHANNEL}, on behalf of their senders.
 * In a channel without a rule those with a binding to an agent are accepted, on behalf of the
 * caller. Thread-safe.
 */
final class RouteCalls {
    private static final long USUAL_WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Left of the call's time for the answer to arrive. */
    private static final long MARGIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Seams seams;

    RouteCalls(Seams seams) {
        this.seams = seams;
    }

    RouteMessageResponse route(Caller caller, RouteMessageRequest request)
            throws InterruptedException {
        long untilNanos = until(Context.current().getDeadline());
        SubmittedMessage message = RoutedMessages.of(caller, request);
        RouteMessageResponse.Builder response =
                RouteMessageResponse.newBuilder()
                        .setV(1)
                        .setRetryAttempt(request.getRetryAttempt())
                        .setRouteKey(message.sessionKey());
        Optional<ConnectorId> surface = RoutedMessages.surface(message.channel());
        if (surface.isEmpty()) {
            return bound(caller, request, message, untilNanos, response);
        }
        boolean governed = GateCalls.call(seams.rules(), rules -> rules.governs(surface.get()));
        if (!governed && !ruledBefore(surface.get(), message, request)) {
            return bound(caller, request, message, untilNanos, response);
        }
        InboundMessage inbound = RoutedMessages.inbound(message, request);
        boolean broadcast = request.getRequestBroadcast();
        // Before anything is decided, stored or told: it may speak for the sender at all.
        String sender = "user:" + surface.get() + ":" + inbound.sender().id();
        GateCalls.call(seams.access(), access -> access.speakFor(caller.principal(), sender));
        MessageRules.Ruling ruling =
                GateCalls.call(
                        seams.rules(),
                        rules ->
                                governed
                                        ? rules.rule(surface.get(), inbound, broadcast)
                                        : rules.before(surface.get(), inbound).orElseThrow());
        return switch (ruling) {
            case MessageRules.Ruling.Ignored ignored -> ignored(ignored, request, response);
            case MessageRules.Ruling.Known known ->
                    known(caller, request, known, untilNanos, response);
            case MessageRules.Ruling.Routed routed ->
                    routed(
                            caller,
                            request,
                            RoutedMessages.routed(message, surface.get(), inbound, routed),
                            routed,
                            untilNanos,
                            response);
        };
    }

    /** Rules know messages with a sender alone. */
    private boolean ruledBefore(
            ConnectorId surface, SubmittedMessage message, RouteMessageRequest request) {
        if (request.getEnvelope().getOrigin().getSenderHandle().isEmpty()) {
            return false;
        }
        InboundMessage inbound = RoutedMessages.inbound(message, request);
        return GateCalls.call(seams.rules(), rules -> rules.before(surface, inbound)).isPresent();
    }

    private static RouteMessageResponse ignored(
            MessageRules.Ruling.Ignored ignored,
            RouteMessageRequest request,
            RouteMessageResponse.Builder response) {
        response.setRouteKey(ignored.sessionKey())
                .setDecisionReason(
                        ignored.explanation().isEmpty()
                                ? ignored.reason()
                                : ignored.reason() + ": " + ignored.explanation());
        if (!ignored.reply().isEmpty()) {
            response.addOutputs(output(request, ignored.reply()));
        }
        return response.build();
    }

    private RouteMessageResponse routed(
            Caller caller,
            RouteMessageRequest request,
            SubmittedMessage message,
            MessageRules.Ruling.Routed routed,
            long untilNanos,
            RouteMessageResponse.Builder response)
            throws InterruptedException {
        Principal principal =
                GateCalls.call(
                        seams.access(),
                        access -> access.speakFor(caller.principal(), routed.principal()));
        Submission accepted =
                GateCalls.call(seams.runs(), front -> front.submit(principal, message));
        response.setAccepted(true)
                .setRouteKey(message.sessionKey())
                .setDecisionReason("The rule " + routed.rule() + " routes it.");
        answer(principal, request, accepted, routed.responsePrefix(), untilNanos, response);
        return response.build();
    }

    /** The rules changed since it was accepted, and change nothing of it. */
    private RouteMessageResponse known(
            Caller caller,
            RouteMessageRequest request,
            MessageRules.Ruling.Known known,
            long untilNanos,
            RouteMessageResponse.Builder response)
            throws InterruptedException {
        Principal principal =
                GateCalls.call(
                        seams.access(),
                        access -> access.speakFor(caller.principal(), known.principal()));
        Submission accepted =
                GateCalls.call(
                        seams.runs(), front -> front.submission(principal, known.messageId()));
        response.setAccepted(true)
                .setRouteKey(known.sessionKey())
                .setDecisionReason("It was accepted before.");
        answer(principal, request, accepted, known.responsePrefix(), untilNanos, response);
        return response.build();
    }

    private RouteMessageResponse bound(
            Caller caller,
            RouteMessageRequest request,
            SubmittedMessage message,
            long untilNanos,
            RouteMessageResponse.Builder response)
            throws InterruptedException {
        if (request.getRequestBroadcast()) {
            return response.setDecisionReason(
                            "broadcast_denied_by_policy: No rule is for channel "
                                    + message.channel()
                                    + ". Add conf/palyra.channels.route~NAME.json for grpc:"
                                    + message.channel()
                                    + " with broadcast, or send it without request_broadcast.")
                    .build();
        }
        AgentRegistry.Resolution found = resolve(caller.principal(), message);
        if (found.source() == AgentRegistry.Source.DEFAULT) {
            return response.setDecisionReason(unbound(caller.principal(), message)).build();
        }
        Submission accepted =
                GateCalls.call(seams.runs(), front -> front.submit(caller.principal(), message));
        response.setAccepted(true)
                .setDecisionReason(
                        (found.source() == AgentRegistry.Source.SESSION_BINDING
                                        ? "The session is bound to agent "
                                        : "The principal and channel are bound to agent ")
                                + found.agent().agentId()
                                + ".");
        answer(caller.principal(), request, accepted, "", untilNanos, response);
        return response.build();
    }

    private static long until(Deadline deadline) {
        long left =
                deadline == null
                        ? USUAL_WAIT_NANOS
                        : deadline.timeRemaining(TimeUnit.NANOSECONDS) - MARGIN_NANOS;
        return System.nanoTime() + Math.max(0, left);
    }

    /** A session is looked for where the binding of the principal does not say enough. */
    private AgentRegistry.Resolution resolve(Principal principal, SubmittedMessage message) {
        AgentRegistry.Resolution found = resolve(principal, message, "");
        return found.source() == AgentRegistry.Source.DEFAULT
                ? resolve(principal, message, existingSession(principal, message))
                : found;
    }

    private AgentRegistry.Resolution resolve(
            Principal principal, SubmittedMessage message, String sessionId) {
        return GateCalls.call(
                seams.agents(),
                agents -> agents.resolve(principal.id(), message.channel(), sessionId));
    }

    private String existingSession(Principal principal, SubmittedMessage message) {
        SessionQuery query =
                new SessionQuery(
                        "",
                        message.sessionKey(),
                        message.deviceId(),
                        message.channel(),
                        "",
                        true,
                        false);
        try {
            return GateCalls.call(seams.runs(), front -> front.resolveSession(principal, query))
                    .session()
                    .sessionId();
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.DENIED) {
                return "";
            }
            throw e;
        }
    }

    private static String unbound(Principal principal, SubmittedMessage message) {
        return "channel_disabled: Nothing routes this message: no rule is for grpc:"
                + message.channel()
                + ", and neither "
                + principal.id()
                + " in channel "
                + message.channel()
                + " nor a session that this credential may resolve (scope session.resolve) is"
                + " bound to an agent. Add conf/palyra.channels.route~NAME.json, or bind one with"
                + " BindAgentForContext, or with: palyra agents bind "
                + principal.id()
                + " AGENT --channel "
                + message.channel();
    }

    /** Waits for the run's end and adds its answer; the client asks again for a later answer. */
    private void answer(
            Principal principal,
            RouteMessageRequest request,
            Submission accepted,
            String prefix,
            long untilNanos,
            RouteMessageResponse.Builder response)
            throws InterruptedException {
        Submission known = accepted;
        FinalAnswer answer = new FinalAnswer();
        try {
            known =
                    RunStart.routed(
                                    seams.runs(),
                                    principal,
                                    accepted,
                                    millis -> pause(millis, untilNanos))
                            .orElse(accepted);
            if (!known.runId().isEmpty()) {
                follow(principal, known.runId(), answer, untilNanos);
            }
        } catch (LostContact e) {
            response.setDecisionReason(e.getMessage());
        } catch (PalyraException e) {
            if (!mayPass(e)) {
                throw e;
            }
            response.setDecisionReason(e.getMessage());
        }
        name(principal, known, response);
        Optional<RunEvent.Ended> end = answer.end();
        if (end.isEmpty()) {
            response.setQueuedForRetry(true);
        } else if (end.get().state() == RunState.SUCCEEDED) {
            response.addOutputs(output(request, prefix + answer.text()));
        } else {
            response.setDecisionReason(
                    "The run "
                            + (end.get().state() == RunState.CANCELLED ? "was cancelled" : "failed")
                            + ": "
                            + end.get().reason());
        }
    }

    private static OutboundMessage output(RouteMessageRequest request, String text) {
        return OutboundMessage.newBuilder()
                .setText(text)
                .setThreadId(request.getAdapterThreadId())
                .setInReplyToMessageId(request.getAdapterMessageId())
                .setBroadcast(request.getRequestBroadcast())
                .build();
    }

    /** The message is safe in the journal: such errors are no reason to send it again as new. */
    private static boolean mayPass(PalyraException e) {
        return e.code().kind() == ErrorCode.Kind.UNAVAILABLE
                || e.code().kind() == ErrorCode.Kind.RESOURCE;
    }

    private static boolean pause(long millis, long untilNanos) {
        long left = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
        try {
            TimeUnit.MILLISECONDS.sleep(Math.min(millis, Math.max(0, left)));
            return left <= 0 || Context.current().isCancelled();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void follow(Principal principal, String runId, FinalAnswer answer, long untilNanos)
            throws InterruptedException {
        ResumingRunFollower follower =
                RunStart.follower(seams.runs(), principal, runId, RunPosition.START, answer);
        Context.CancellationListener stop = cancelled -> follower.stop();
        Context call = Context.current();
        call.addListener(stop, Runnable::run);
        try {
            follower.follow(untilNanos);
        } finally {
            call.removeListener(stop);
        }
    }

    private void name(
            Principal principal, Submission submission, RouteMessageResponse.Builder response) {
        if (submission.runId().isEmpty()) {
            return;
        }
        response.setRunId(ApiMapper.id(submission.runId()));
        if (!submission.sessionId().isEmpty()) {
            response.setSessionId(ApiMapper.id(submission.sessionId()));
            if (response.getRouteKey().isEmpty()) {
                GateCalls.call(
                                seams.runs(),
                                front -> front.session(principal, submission.sessionId()))
                        .map(SessionView::key)
                        .ifPresent(response::setRouteKey);
            }
        }
    }
}
