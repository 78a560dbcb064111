package palyra.access.internal;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Unit;
import palyra.shared.hash.Ulids;

/**
 * Turns a decision into a permit with its record, or a denial with its own. The credential's scopes
 * come first; then the rules; and where they give no decision, the emergency list, which a denial
 * never reaches unless the gateway was started for repair.
 */
final class Authorizer {
    private static final String ALLOW = "allow";
    private static final String DENY = "deny";
    private static final String NO_DECISION = "no_decision";

    private final RateLimitedLog log =
            new RateLimitedLog(LoggerFactory.getLogger(Authorizer.class));
    private final Supplier<Rules> rules;
    private final Recorder recorder;
    private final BreakGlass breakGlass;
    private final DenialLog denials;
    private final LongSupplier clock;
    private final Ulids ids;
    private final LongAdder permits = new LongAdder();

    Authorizer(
            Supplier<Rules> rules,
            Recorder recorder,
            BreakGlass breakGlass,
            DenialLog denials,
            LongSupplier clock,
            Ulids ids) {
        this.rules = rules;
        this.recorder = recorder;
        this.breakGlass = breakGlass;
        this.denials = denials;
        this.clock = clock;
        this.ids = ids;
    }

    /**
     * A decision and its source.
     *
     * @param source the rules; the fixed ones where no policy was asked
     */
    private record SourcedDecision(AccessDecision decision, DecisionSource source) {}

    /** For a change of the journal: the record goes with the change. */
    Authorized authorize(AccessRequest request) {
        SourcedDecision sourced = rule(request);
        return switch (sourced.decision()) {
            case AccessDecision.Allow allow -> allowed(request, sourced.source(), allow);
            case AccessDecision.Deny deny -> throw denied(request, sourced.source(), deny);
            case AccessDecision.NoDecision none -> throw undecided(request, sourced.source(), none);
        };
    }

    /** For an effect elsewhere: the record is durable first. */
    Permit authorizeAndRecord(AccessRequest request) {
        SourcedDecision sourced = rule(request);
        return switch (sourced.decision()) {
            case AccessDecision.Allow allow ->
                    recorded(request, allowed(request, sourced.source(), allow));
            case AccessDecision.Deny deny -> throw denied(request, sourced.source(), deny);
            case AccessDecision.NoDecision none -> withoutDecision(request, sourced.source(), none);
        };
    }

    /** For reading: only a denial, or an emergency, is recorded. */
    Permit authorizeRead(AccessRequest request) {
        SourcedDecision sourced = rule(request);
        return switch (sourced.decision()) {
            case AccessDecision.Allow allow -> permitted(request, sourced.source(), allow);
            case AccessDecision.Deny deny -> throw denied(request, sourced.source(), deny);
            case AccessDecision.NoDecision none -> withoutDecision(request, sourced.source(), none);
        };
    }

    /** For what a surface shows: no permit, no record. */
    boolean wouldAllow(AccessRequest request) {
        return rule(request).decision() instanceof AccessDecision.Allow;
    }

    private SourcedDecision rule(AccessRequest request) {
        if (!Scopes.allow(request.principal().scopes(), request.action())) {
            return new SourcedDecision(
                    new AccessDecision.Deny(
                            "builtin.scope",
                            "the credential is limited to other actions than " + request.action()),
                    DecisionSource.BUILT_IN_RULES);
        }
        Rules now = rules.get();
        return new SourcedDecision(rule(now, request), now.source());
    }

    private AccessDecision rule(Rules now, AccessRequest request) {
        try {
            AccessDecision decision = now.decide(request);
            if (decision instanceof AccessDecision.Deny deny && breakGlass.overrules(request)) {
                return new AccessDecision.NoDecision(
                        "the gateway was started for repair, where "
                                + deny.ruleId()
                                + " does not count");
            }
            return decision == null
                    ? new AccessDecision.NoDecision("the rules gave no answer")
                    : decision;
        } catch (RuntimeException | LinkageError e) {
            log.error("The rules failed on {}.", request.action(), e);
            return new AccessDecision.NoDecision("the rules failed");
        }
    }

    private Permit permitted(
            AccessRequest request, DecisionSource source, AccessDecision.Allow allow) {
        permits.increment();
        return permit(request, source, allow.reason() + " (" + allow.ruleId() + ")");
    }

    private Authorized allowed(
            AccessRequest request, DecisionSource source, AccessDecision.Allow allow) {
        Permit permit = permitted(request, source, allow);
        DecisionRecord record =
                new DecisionRecord(
                        permit.permitId(),
                        request,
                        ALLOW,
                        source,
                        allow.ruleId(),
                        allow.reason(),
                        "",
                        allow.policy());
        return new Authorized(permit, record.append(DecisionRecord.ACCESS_DECISION));
    }

    private Permit permit(AccessRequest request, DecisionSource source, String reason) {
        return new Permit(
                ids.next(),
                request.principal(),
                request.action(),
                request.resource(),
                source,
                reason,
                clock.getAsLong());
    }

    private Permit recorded(AccessRequest request, Authorized allowed) {
        Unit record = Unit.of(allowed.record());
        Unit unit = Actions.makesRoom(request.action()) ? record.makingRoom() : record;
        if (!breakGlass.covers(request)) {
            recorder.commit(unit);
            return allowed.permit();
        }
        try {
            recorder.commitWithin(unit, BreakGlass.JOURNAL_MILLIS, BreakGlass.JOURNAL_MILLIS);
            return allowed.permit();
        } catch (PalyraException e) {
            String cause = "the journal takes no record (" + e.code() + ")";
            Permit permit = emergency(request, cause);
            breakGlass.recordAside(use(request, permit, cause));
            return permit;
        }
    }

    private Permit withoutDecision(
            AccessRequest request, DecisionSource source, AccessDecision.NoDecision none) {
        if (!breakGlass.covers(request)) {
            throw undecided(request, source, none);
        }
        Permit permit = emergency(request, none.reason());
        breakGlass.record(use(request, permit, none.reason()));
        return permit;
    }

    private Permit emergency(AccessRequest request, String cause) {
        permits.increment();
        return permit(request, DecisionSource.BREAK_GLASS, "emergency list: " + cause);
    }

    private static DecisionRecord use(AccessRequest request, Permit permit, String cause) {
        return new DecisionRecord(
                permit.permitId(),
                request,
                ALLOW,
                DecisionSource.BREAK_GLASS,
                "builtin.break_glass",
                permit.reason(),
                cause,
                Optional.empty());
    }

    private PalyraException denied(
            AccessRequest request, DecisionSource source, AccessDecision.Deny deny) {
        recordDenial(request, DENY, source, deny);
        return new PalyraException(
                ErrorCode.DENIED,
                request.principal().id()
                        + " asked for "
                        + request.action()
                        + ": denied, because "
                        + clause(deny.reason())
                        + " ("
                        + deny.ruleId()
                        + "). Ask an operator for the group or the scope.");
    }

    /** A policy's reason is a sentence of its own; here it goes on after a comma. */
    private static String clause(String reason) {
        String open = reason.endsWith(".") ? reason.substring(0, reason.length() - 1) : reason;
        return open.length() > 1 && Character.isLowerCase(open.charAt(1))
                ? Character.toLowerCase(open.charAt(0)) + open.substring(1)
                : open;
    }

    private PalyraException undecided(
            AccessRequest request, DecisionSource source, AccessDecision.NoDecision none) {
        recordDenial(
                request,
                NO_DECISION,
                source,
                new AccessDecision.Deny("builtin.no_decision", none.reason()));
        return new PalyraException(
                ErrorCode.POLICY_UNAVAILABLE,
                request.principal().id()
                        + " asked for "
                        + request.action()
                        + ": not decided, so the answer is no, because "
                        + clause(none.reason())
                        + ". Try again in a moment; palyra doctor says which service is missing.");
    }

    private void recordDenial(
            AccessRequest request,
            String decision,
            DecisionSource source,
            AccessDecision.Deny deny) {
        DecisionRecord record =
                new DecisionRecord(
                        ids.next(),
                        request,
                        decision,
                        source,
                        deny.ruleId(),
                        deny.reason(),
                        "",
                        deny.policy());
        denials.record(record.append(DecisionRecord.ACCESS_DECISION), request, deny.ruleId());
    }

    Map<String, Long> counts() {
        return Map.of(
                "allowed",
                permits.sum(),
                "denied",
                denials.total(),
                "break_glass",
                breakGlass.uses());
    }
}
