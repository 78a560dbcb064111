package palyra.sandbox.posix.internal.libc;

/** System calls of Linux that the C library of a supported system may not wrap. */
public enum LinuxCall {
    /** ioctl(2), whose function of the C library takes its arguments in another way. */
    IOCTL(16, 29),
    /** bind(2). */
    BIND(49, 200),
    /** setxattr(2). */
    SETXATTR(188, 5),
    /** removexattr(2). */
    REMOVEXATTR(197, 14),
    /** gettid(2). */
    GETTID(186, 178),
    /** tgkill(2). */
    TGKILL(234, 131),
    /** waitid(2), which tells more than the function of the C library. */
    WAITID(247, 95),
    /** inotify_add_watch(2). */
    INOTIFY_ADD_WATCH(254, 27),
    /** fchownat(2). */
    FCHOWNAT(260, 54),
    /** readlinkat(2). */
    READLINKAT(267, 78),
    /** fchmodat(2), without flags. */
    FCHMODAT(268, 53),
    /** utimensat(2). */
    UTIMENSAT(280, 88),
    /** process_vm_readv(2). */
    PROCESS_VM_READV(310, 270),
    /** seccomp(2). */
    SECCOMP(317, 277),
    /** memfd_create(2). */
    MEMFD_CREATE(319, 279),
    /** pidfd_send_signal(2). */
    PIDFD_SEND_SIGNAL(424, 424),
    /** pidfd_open(2). */
    PIDFD_OPEN(434, 434),
    /** openat2(2). */
    OPENAT2(437, 437),
    /** pidfd_getfd(2). */
    PIDFD_GETFD(438, 438),
    /** landlock_create_ruleset(2). */
    LANDLOCK_CREATE_RULESET(444, 444),
    /** landlock_add_rule(2). */
    LANDLOCK_ADD_RULE(445, 445),
    /** landlock_restrict_self(2). */
    LANDLOCK_RESTRICT_SELF(446, 446);

    private final int intel;
    private final int arm;

    LinuxCall(int intel, int arm) {
        this.intel = intel;
        this.arm = arm;
    }

    int intel() {
        return intel;
    }

    int arm() {
        return arm;
    }
}
