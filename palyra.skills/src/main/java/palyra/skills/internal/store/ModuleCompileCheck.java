package palyra.skills.internal.store;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.skills.internal.RefusedException;
import palyra.skills.internal.artifact.Artifact;
import palyra.skills.internal.audit.AuditReport;
import palyra.skills.internal.model.SkillPreparation;

/**
 * Compiles the modules of a version before it is installed or put into use, so that one that cannot
 * be compiled within the engine's budget is refused then, and not at its first call. Thread-safe.
 */
final class ModuleCompileCheck {
    private final SkillPreparation preparation;

    ModuleCompileCheck(SkillPreparation preparation) {
        this.preparation = preparation;
    }

    /**
     * Compiles them. Modules that the audit speaks against are not admitted when they are called
     * either; an operator who accepts that is not kept from it here.
     *
     * @param report what the audit found
     * @throws RefusedException {@code module_refused} when an engine does not take a module
     * @throws PalyraException when no engine can judge it now
     */
    void require(Artifact artifact, boolean trusted, String engine, AuditReport report) {
        try {
            preparation.prepare(artifact.loaded(trusted, engine));
        } catch (PalyraException e) {
            boolean known = e.code() == ErrorCode.DENIED && !report.passed();
            boolean refused =
                    e.code() == ErrorCode.DENIED || e.code() == ErrorCode.INVALID_ARGUMENT;
            if (refused && !known) {
                throw new RefusedException(
                        "module_refused",
                        artifact.manifest().id() + " cannot be used here. " + e.getMessage());
            }
            if (!refused) {
                throw e;
            }
        }
    }
}
