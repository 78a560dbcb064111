package palyra.skills.internal.tool;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Permit;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolOrder;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.shared.gate.Gate;
import palyra.skills.internal.host.CallScope;
import palyra.skills.internal.host.HostSeams;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.run.RunReport;
import palyra.skills.internal.run.RunRequest;
import palyra.skills.internal.run.SkillRunner;

/**
 * Runs calls of skills' tools: policy decides on the skill, the module runs, and the result is
 * checked. Thread-safe.
 *
 * @param runner runs modules
 * @param seams what host functions work with
 * @param access who decides
 */
public record SkillCallService(SkillRunner runner, HostSeams seams, Gate<Access> access) {
    /** Action that policy is asked about before a module runs. */
    public static final String EXECUTE = "skill.execute";

    private static final String NO_EXECUTOR = "wasm";

    /** Checks. */
    public SkillCallService {
        Require.present(runner, "runner");
        Require.present(seams, "seams");
        Require.present(access, "access");
    }

    /**
     * Settings of a call that differ from the defaults.
     *
     * @param engine engine by name; empty for the usual one
     * @param quotas what it may take
     * @param seams what host functions work with
     */
    public record Terms(String engine, SkillQuotas quotas, HostSeams seams) {
        /** Checks. */
        public Terms {
            engine = Require.orEmpty(engine);
            Require.present(quotas, "quotas");
            Require.present(seams, "seams");
        }
    }

    /**
     * Result of a call.
     *
     * @param result the result for the caller
     * @param report what ran; null when nothing did
     * @param refusal why nothing ran; null when something did
     */
    public record Ran(ConfinedResult result, RunReport report, ErrorCode refusal) {}

    ConfinedResult run(LoadedTool offer, ToolOrder order) throws InterruptedException {
        return run(offer, order, new Terms("", offer.skill().quotas(), seams)).result();
    }

    /**
     * Runs a call of an offer that was decided. What goes wrong before a module runs is a failed
     * result that says why.
     *
     * @throws InterruptedException when the thread was interrupted
     */
    public Ran run(LoadedTool offer, ToolOrder order, Terms terms) throws InterruptedException {
        try {
            offer.requireFit(order.invocation().inputJson());
            CallScope scope = scope(offer, order);
            requireAllowed(offer, scope);
            RunReport report =
                    runner.run(
                            new RunRequest(
                                    scope,
                                    offer.skill(),
                                    offer.tool(),
                                    offer.moduleSha256(),
                                    order.invocation().inputJson().getBytes(StandardCharsets.UTF_8),
                                    terms.quotas(),
                                    terms.engine(),
                                    order.confinement().tier(),
                                    terms.seams()));
            return new Ran(
                    ResultMapper.of(offer.tool(), terms.quotas(), offer.output(), report),
                    report,
                    null);
        } catch (PalyraException e) {
            return new Ran(refused(offer.moduleSha256(), e.getMessage()), null, e.code());
        }
    }

    /** Compiles the modules of all tools of a skill; see {@link SkillRunner#prepare}. */
    public void prepare(LoadedSkill skill) {
        skill.tools().forEach(tool -> runner.prepare(skill, tool, skill.quotas(), "", seams));
    }

    /**
     * Compiles the module of a tool before the time of a call runs.
     *
     * @return what the call came to when that is refused or interrupted; empty when it may be run
     */
    public Optional<Ran> prepare(LoadedTool offer, Terms terms) {
        try {
            runner.prepare(
                    offer.skill(), offer.tool(), terms.quotas(), terms.engine(), terms.seams());
            return Optional.empty();
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CANCELLED && Thread.interrupted()) {
                return Optional.of(stopped(offer));
            }
            return Optional.of(
                    new Ran(refused(offer.moduleSha256(), e.getMessage()), null, e.code()));
        }
    }

    static ConfinedResult refused(String moduleSha256, String message) {
        return new ConfinedResult(
                Outcome.FAILED,
                ToolResult.failed(message),
                NO_EXECUTOR,
                ResultMapper.NOTHING_RAN,
                moduleSha256);
    }

    /** Returns the result of a call that its caller stopped. */
    public static Ran stopped(LoadedTool offer) {
        return new Ran(
                new ConfinedResult(
                        Outcome.CANCELLED,
                        ToolResult.failed("It was stopped."),
                        NO_EXECUTOR,
                        ResultMapper.NOTHING_RAN,
                        offer.moduleSha256()),
                null,
                null);
    }

    private static CallScope scope(LoadedTool offer, ToolOrder order) {
        ToolInvocation call = order.invocation();
        return new CallScope(
                offer.skill().id(),
                offer.tool().id(),
                call.callId(),
                call.attempt(),
                call.runId(),
                call.principalId(),
                order.groups(),
                order.agentId(),
                call.deadlineMillis(),
                offer.skill().grants());
    }

    private void requireAllowed(LoadedTool offer, CallScope scope) {
        AccessRequest question =
                scope.question(
                        EXECUTE,
                        "skill:" + offer.skill().id(),
                        Map.of(
                                "publisher",
                                offer.skill().publisher(),
                                "trusted",
                                Boolean.toString(offer.skill().trusted())));
        Permit permit = access.call(front -> front.authorizeRead(question));
        permit.requireFor(EXECUTE, System.currentTimeMillis());
    }
}
