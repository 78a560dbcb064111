package palyra.skills.internal.model;

/**
 * Told when a skill goes for good, so that what is kept for it goes as well. Registered as a
 * service of this bundle.
 */
public interface SkillRemoval {
    /** Called once the last version of a skill was removed, on the thread that removed it. */
    void removed(String skill);
}
