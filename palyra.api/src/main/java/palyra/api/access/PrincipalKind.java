package palyra.api.access;

/** What sort of actor a principal is. */
public enum PrincipalKind {
    /** A person. */
    USER,
    /** A device that belongs to a person. */
    DEVICE,
    /** A program: a connector, a scheduler, another system. */
    SERVICE,
    /** The gateway itself, for work that nobody asked for from outside. */
    SYSTEM
}
