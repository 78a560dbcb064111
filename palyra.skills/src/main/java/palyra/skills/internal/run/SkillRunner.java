package palyra.skills.internal.run;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import palyra.api.PalyraException;
import palyra.skills.internal.host.HostSeams;
import palyra.skills.internal.model.LoadedSkill;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.model.SkillQuotas;
import palyra.skills.internal.model.SkillTool;

/**
 * Runs calls of modules: admits, picks the engine, starts, waits. A call that an engine lost before
 * it changed anything outside is started again, so that replacing an engine costs no call.
 * Thread-safe.
 */
public final class SkillRunner implements AutoCloseable {
    private final Engines engines;
    private final Admitter admitter;
    private final Supplier<RunSettings> settings;
    private final Preparation preparation;
    private final RunningCalls calls = new RunningCalls();

    /** Creates a runner. */
    public SkillRunner(Engines engines, Admitter admitter, Supplier<RunSettings> settings) {
        this.engines = engines;
        this.admitter = admitter;
        this.settings = settings;
        this.preparation = new Preparation(engines, admitter, settings);
    }

    /**
     * Runs a call and returns what it came to.
     *
     * @throws PalyraException DENIED when the module is not admitted or the engine may not run it,
     *     TOOL_UNAVAILABLE when there is no engine, RESOURCE_EXHAUSTED when engines are full; then
     *     nothing was run
     * @throws InterruptedException when the thread was interrupted; the call was stopped then
     */
    public RunReport run(RunRequest request) throws InterruptedException {
        RunningCall live = calls.begin(request.scope().skill());
        try {
            return new CallExecution(engines, admitter, settings.get(), request, live).run();
        } finally {
            calls.end(live);
        }
    }

    /**
     * Admits the module of a tool and has it compiled, as a call would. Blocks for a bounded time;
     * an interrupt ends that.
     *
     * @param engine id of the engine; empty for the skill's own or the usual one
     * @throws PalyraException DENIED when the module is not admitted or the engine may not run it,
     *     INVALID_ARGUMENT when compiling it takes more than the engine's budget, TOOL_UNAVAILABLE
     *     when there is no engine
     */
    public void prepare(
            LoadedSkill skill, SkillTool tool, SkillQuotas quotas, String engine, HostSeams seams) {
        preparation.prepare(skill, tool, quotas, engine, seams);
    }

    /**
     * Stops the calls of skills that no version of is active any more; calls of a version that was
     * replaced by another may end.
     */
    public void keepOnly(List<SkillId> active) {
        Set<String> skills = active.stream().map(SkillId::skill).collect(Collectors.toSet());
        calls.stop(
                id -> !skills.contains(id.skill()),
                "The skill was disabled, removed or put into quarantine.");
    }

    /** Returns how many calls are under way. */
    public int running() {
        return calls.size();
    }

    /**
     * Refuses new calls, gives running ones some time, then stops them. A caller that still offers
     * tools takes them back first: a call that comes now is refused.
     */
    public void close(long graceMillis) {
        calls.close(graceMillis);
    }

    /** Gives running calls a moment, then stops them. */
    @Override
    public void close() {
        close(settings.get().stopMillis());
    }
}
