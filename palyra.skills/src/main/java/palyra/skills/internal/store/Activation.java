package palyra.skills.internal.store;

import palyra.skills.internal.ledger.LedgerEdit;

/** Activates a version, as part of a ledger edit. */
final class Activation {
    /** Why a version is disabled that a later one took the place of. */
    static final String SUPERSEDED = "superseded";

    private Activation() {}

    /**
     * Makes a version active; the version that was in use until then is switched off.
     *
     * @param record the version to store, in any state
     * @param by who did it
     * @param whyNot reason code of the version that goes
     */
    static void add(
            LedgerEdit edit,
            Inventory now,
            SkillRecord record,
            String by,
            String whyNot,
            long atMillis) {
        now.active(record.id().skill())
                .filter(other -> !other.id().equals(record.id()))
                .ifPresent(
                        other ->
                                AuthorizedChanges.move(
                                        edit,
                                        other.standing(
                                                SkillState.DISABLED,
                                                whyNot,
                                                "By " + record.id() + ".",
                                                atMillis),
                                        by));
        SkillRecord next =
                record.active()
                        ? record
                        : record.standing(
                                SkillState.ACTIVE, "", record.audit().overrideReason(), atMillis);
        AuthorizedChanges.move(edit, next, by);
    }
}
