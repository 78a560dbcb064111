package palyra.shared.seccomp;

import java.util.List;

/** The calls that every filter refuses, copied from the design and not from the code. */
final class DeniedCalls {
    /** Name, number on x86-64, number on aarch64. */
    static final List<String> LINES =
            """
            _sysctl 156 -1
            acct 163 89
            add_key 248 217
            adjtimex 159 171
            bpf 321 280
            chroot 161 51
            clock_adjtime 305 266
            clock_settime 227 112
            create_module 174 -1
            delete_module 176 106
            fanotify_init 300 262
            finit_module 313 273
            fsconfig 431 431
            fsmount 432 432
            fsopen 430 430
            fspick 433 433
            get_kernel_syms 177 -1
            init_module 175 105
            io_uring_enter 426 426
            io_uring_register 427 427
            io_uring_setup 425 425
            ioperm 173 -1
            iopl 172 -1
            kcmp 312 272
            kexec_file_load 320 294
            kexec_load 246 104
            keyctl 250 219
            lookup_dcookie 212 18
            memfd_secret 447 447
            migrate_pages 256 238
            modify_ldt 154 -1
            mount 165 40
            mount_setattr 442 442
            move_mount 429 429
            move_pages 279 239
            mq_getsetattr 245 185
            mq_notify 244 184
            mq_open 240 180
            mq_timedreceive 243 183
            mq_timedsend 242 182
            mq_unlink 241 181
            msgctl 71 187
            msgget 68 186
            msgrcv 70 188
            msgsnd 69 189
            name_to_handle_at 303 264
            nfsservctl 180 42
            open_by_handle_at 304 265
            open_tree 428 428
            open_tree_attr 467 467
            perf_event_open 298 241
            pidfd_getfd 438 438
            pivot_root 155 41
            process_madvise 440 440
            process_vm_readv 310 270
            process_vm_writev 311 271
            ptrace 101 117
            query_module 178 -1
            quotactl 179 60
            quotactl_fd 443 443
            reboot 169 142
            request_key 249 218
            semctl 66 191
            semget 64 190
            semop 65 193
            semtimedop 220 192
            setdomainname 171 162
            sethostname 170 161
            setns 308 268
            settimeofday 164 170
            shmat 30 196
            shmctl 31 195
            shmdt 67 197
            shmget 29 194
            swapoff 168 225
            swapon 167 224
            sysfs 139 -1
            syslog 103 116
            umount2 166 39
            uselib 134 -1
            userfaultfd 323 282
            ustat 136 -1
            vhangup 153 58
            """
                    .lines()
                    .toList();

    private DeniedCalls() {}
}
