package palyra.sandbox.posix.internal.libc;

/** Limits of getrlimit(2) with their numbers on Linux and macOS. */
public enum Limit {
    /** Processor seconds. */
    CPU(0, 0),
    /** Largest file in bytes. */
    FILE(1, 1),
    /** Data segment in bytes. */
    DATA(2, 2),
    /** Core file in bytes. */
    CORE(4, 4),
    /** Address space in bytes. */
    MEMORY(9, 5),
    /** Processes of this user. */
    PROCESSES(6, 7),
    /** Descriptors. */
    FILES(7, 8);

    private final int linux;
    private final int mac;

    Limit(int linux, int mac) {
        this.linux = linux;
        this.mac = mac;
    }

    /** Returns its number on Linux. */
    public int linux() {
        return linux;
    }

    int mac() {
        return mac;
    }
}
