package palyra.skills.internal.model;

/**
 * Called when a skill is removed, so that its stored data is removed as well. Registered as a
 * service of this bundle.
 */
public interface SkillRemoval {
    /** Called once the last version of a skill was removed, on the thread that removed it. */
    void removed(String skill);
}
