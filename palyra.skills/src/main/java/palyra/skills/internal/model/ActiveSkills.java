package palyra.skills.internal.model;

import java.util.List;
import java.util.function.Consumer;

/** The skills that may be used now. Thread-safe. */
public interface ActiveSkills {
    /**
     * Reads and checks a skill: artifact against its recorded digest, signature, trust, revocation
     * and state, each time.
     *
     * @throws palyra.api.PalyraException DENIED with the reason code when it may not be used (it is
     *     in quarantine then, unless it was merely not active), NOT_FOUND, JOURNAL_UNAVAILABLE
     */
    LoadedSkill load(SkillId id);

    /** Returns the current version of each skill that is active. */
    List<SkillId> active();

    /**
     * Reports every change of the active skills, including a skill that goes into quarantine: its
     * running calls are stopped then.
     *
     * @param listener gets the new {@link #active}; called one at a time on a thread of this bundle
     * @return ends it when closed
     */
    AutoCloseable watch(Consumer<List<SkillId>> listener);

    /** Puts a skill into quarantine for a fault that a load or a call found. */
    void quarantine(SkillId id, String reasonCode, String detail);
}
