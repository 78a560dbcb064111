package palyra.api.access;

/** The kind of a principal. */
public enum PrincipalKind {
    /** A person. */
    USER,
    /** A device that belongs to a person. */
    DEVICE,
    /** A program: a connector, a scheduler, another system. */
    SERVICE,
    /** The gateway itself, for work without an external request. */
    SYSTEM
}
