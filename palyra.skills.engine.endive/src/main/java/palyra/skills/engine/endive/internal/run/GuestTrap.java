package palyra.skills.engine.endive.internal.run;

/** A host function was given an address outside the module's memory. */
final class GuestTrap extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GuestTrap(String message) {
        super(message, null, false, false);
    }
}
