package palyra.shared.seccomp;

import java.util.List;

/**
 * A system call and its numbers; -1 where a processor has none. The numbers are those of {@code
 * arch/x86/entry/syscalls/syscall_64.tbl} and {@code include/uapi/asm-generic/unistd.h} of Linux.
 */
record Syscall(String name, int x86, int arm) {
    /** The last call that the lists know ({@code file_setattr}); later ones do not exist. */
    static final int LAST_KNOWN = 469;

    static final Syscall CLONE = new Syscall("clone", 56, 220);
    static final Syscall CLONE3 = new Syscall("clone3", 435, 435);
    static final Syscall UNSHARE = new Syscall("unshare", 272, 97);
    static final Syscall IOCTL = new Syscall("ioctl", 16, 29);
    static final Syscall PERSONALITY = new Syscall("personality", 135, 92);
    static final Syscall SOCKET = new Syscall("socket", 41, 198);
    static final Syscall SOCKETPAIR = new Syscall("socketpair", 53, 199);
    static final Syscall SENDTO = new Syscall("sendto", 44, 206);
    static final Syscall SENDMSG = new Syscall("sendmsg", 46, 211);
    static final Syscall SENDMMSG = new Syscall("sendmmsg", 307, 269);
    static final Syscall SETPRIORITY = new Syscall("setpriority", 141, 140);
    static final Syscall IOPRIO_SET = new Syscall("ioprio_set", 251, 30);

    static final Syscall OPEN = new Syscall("open", 2, -1);
    static final Syscall OPENAT = new Syscall("openat", 257, 56);

    /** Takes its mode from memory, which no filter sees; libraries use openat where it is not. */
    static final Syscall OPENAT2 = new Syscall("openat2", 437, 437);

    /** Calls whose second argument is the mode of a file. */
    static final List<Syscall> MODE_SECOND =
            List.of(
                    new Syscall("chmod", 90, -1),
                    new Syscall("fchmod", 91, 52),
                    new Syscall("creat", 85, -1),
                    new Syscall("mknod", 133, -1));

    /** Calls whose third argument is the mode of a file. */
    static final List<Syscall> MODE_THIRD =
            List.of(
                    new Syscall("fchmodat", 268, 53),
                    new Syscall("fchmodat2", 452, 452),
                    new Syscall("mknodat", 259, 33));

    static final Syscall FANOTIFY_MARK = new Syscall("fanotify_mark", 301, 263);

    /** Newer forms of calls that change files; libraries use the older ones where they are not. */
    static final List<Syscall> NEWER_METADATA =
            List.of(
                    new Syscall("setxattrat", 463, 463),
                    new Syscall("removexattrat", 466, 466),
                    new Syscall("file_setattr", 469, 469));

    /**
     * Calls whose first argument is a process. They ask for the same user only, so they would reach
     * the gateway itself: a limit of processor time on it would end it.
     */
    static final List<Syscall> OF_A_PROCESS =
            List.of(
                    new Syscall("prlimit64", 302, 261),
                    new Syscall("sched_setparam", 142, 118),
                    new Syscall("sched_setscheduler", 144, 119),
                    new Syscall("sched_setattr", 314, 274),
                    new Syscall("sched_setaffinity", 203, 122));

    /**
     * Calls that no tool needs: other processes' memory, mounts, keys, tracing, kernel modules,
     * clocks, host names; all of System V IPC and POSIX message queues, which no limit counts, no
     * path names and every process of the user reaches.
     */
    static final List<Syscall> DENIED =
            parse(
                    """
                    ptrace 101 117
                    process_vm_readv 310 270
                    process_vm_writev 311 271
                    kcmp 312 272
                    process_madvise 440 440
                    pidfd_getfd 438 438
                    mount 165 40
                    umount2 166 39
                    pivot_root 155 41
                    chroot 161 51
                    open_tree 428 428
                    move_mount 429 429
                    fsopen 430 430
                    fsconfig 431 431
                    fsmount 432 432
                    fspick 433 433
                    mount_setattr 442 442
                    open_tree_attr 467 467
                    setns 308 268
                    keyctl 250 219
                    add_key 248 217
                    request_key 249 218
                    bpf 321 280
                    perf_event_open 298 241
                    userfaultfd 323 282
                    io_uring_setup 425 425
                    io_uring_enter 426 426
                    io_uring_register 427 427
                    kexec_load 246 104
                    kexec_file_load 320 294
                    reboot 169 142
                    init_module 175 105
                    finit_module 313 273
                    delete_module 176 106
                    create_module 174 -1
                    query_module 178 -1
                    get_kernel_syms 177 -1
                    uselib 134 -1
                    _sysctl 156 -1
                    sysfs 139 -1
                    ustat 136 -1
                    nfsservctl 180 42
                    lookup_dcookie 212 18
                    swapon 167 224
                    swapoff 168 225
                    acct 163 89
                    quotactl 179 60
                    quotactl_fd 443 443
                    syslog 103 116
                    vhangup 153 58
                    settimeofday 164 170
                    clock_settime 227 112
                    clock_adjtime 305 266
                    adjtimex 159 171
                    sethostname 170 161
                    setdomainname 171 162
                    iopl 172 -1
                    ioperm 173 -1
                    modify_ldt 154 -1
                    name_to_handle_at 303 264
                    open_by_handle_at 304 265
                    fanotify_init 300 262
                    migrate_pages 256 238
                    move_pages 279 239
                    memfd_secret 447 447
                    shmget 29 194
                    shmat 30 196
                    shmctl 31 195
                    shmdt 67 197
                    semget 64 190
                    semop 65 193
                    semctl 66 191
                    semtimedop 220 192
                    msgget 68 186
                    msgsnd 69 189
                    msgrcv 70 188
                    msgctl 71 187
                    mq_open 240 180
                    mq_unlink 241 181
                    mq_timedsend 242 182
                    mq_timedreceive 243 183
                    mq_notify 244 184
                    mq_getsetattr 245 185
                    """);

    private static List<Syscall> parse(String table) {
        return table.lines().map(Syscall::ofLine).toList();
    }

    private static Syscall ofLine(String line) {
        String[] fields = line.split(" ", -1);
        return new Syscall(fields[0], Integer.parseInt(fields[1]), Integer.parseInt(fields[2]));
    }

    /** Returns its number; -1 when the processor has none. */
    int number(Architecture architecture) {
        return switch (architecture) {
            case X86_64 -> x86;
            case AARCH64 -> arm;
        };
    }
}
