package palyra.shared.seccomp;

/** Which sockets a filter lets a process make; everything else is the same in all of them. */
public enum Profile {
    /** Unix, IPv4, IPv6 (TCP, UDP, ping), and netlink for routes. */
    DEFAULT,
    /** As {@link #DEFAULT}, without Unix sockets. */
    NOUNIX,
    /** None; pairs of connected Unix sockets remain, they lead nowhere. */
    OFFLINE
}
