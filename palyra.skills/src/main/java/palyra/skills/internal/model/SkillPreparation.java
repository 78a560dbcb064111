package palyra.skills.internal.model;

/** Compiles the modules of a skill before they are called. Thread-safe. */
@FunctionalInterface
public interface SkillPreparation {
    /**
     * Admits and compiles the module of each tool, within the budget of the skill's engine. Blocks
     * for a bounded time; an interrupt ends that.
     *
     * @throws palyra.api.PalyraException DENIED when a module is not admitted, INVALID_ARGUMENT
     *     when compiling it takes more than the budget: the message has figure and limit;
     *     TOOL_UNAVAILABLE when no engine can judge it now
     */
    void prepare(LoadedSkill skill);
}
