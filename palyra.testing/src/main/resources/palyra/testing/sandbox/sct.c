/* Asks for calls that a sandbox must refuse. Prints name=errno; a call that the kernel looked at
   at all, whatever it then said, is REACHED. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void say(const char *name, long result) {
    int said = result < 0 ? errno : 0;
    int refused = result < 0 && (said == EPERM || said == ENOSYS || said == EAFNOSUPPORT
            || said == EPROTONOSUPPORT || said == ESOCKTNOSUPPORT);
    printf("%s=%s errno=%d\n", name, refused ? "refused" : "REACHED", said);
}

static void sock(const char *name, int family, int type, int protocol) {
    int fd = socket(family, type, protocol);
    say(name, fd);
    if (fd >= 0) close(fd);
}

int main(void) {
    char big[256];
    memset(big, 0, sizeof big);
    say("process_vm_readv", syscall(SYS_process_vm_readv, getpid(), 0, 0, 0, 0, 0));
    say("keyctl", syscall(SYS_keyctl, 0, -3, 0, 0, 0));
    say("add_key", syscall(SYS_add_key, "user", "palyra", "x", 1, -3));
    say("io_uring_setup", syscall(SYS_io_uring_setup, 0, big));
    say("kcmp", syscall(SYS_kcmp, getpid(), getpid(), 0, 0, 0));
    say("userfaultfd", syscall(SYS_userfaultfd, 0xFFFF));
    say("shmget", syscall(SYS_shmget, 0, 4096, 01600));
    say("shmat", syscall(SYS_shmat, 0, 0, 0));
    say("shmctl", syscall(SYS_shmctl, 0, 0, 0));
    say("shmdt", syscall(SYS_shmdt, 1));
    say("semget", syscall(SYS_semget, 0, 1, 01600));
    say("semop", syscall(SYS_semop, -1, big, 1));
    say("semctl", syscall(SYS_semctl, -1, 0, 0, 0));
    say("semtimedop", syscall(SYS_semtimedop, -1, big, 1, 0));
    say("msgget", syscall(SYS_msgget, 0, 01600));
    say("msgsnd", syscall(SYS_msgsnd, -1, big, 1, 04000));
    say("msgrcv", syscall(SYS_msgrcv, -1, big, 1, 0L, 04000));
    say("msgctl", syscall(SYS_msgctl, -1, 0, 0));
    say("mq_open", syscall(SYS_mq_open, "palyra", O_RDWR | O_CREAT, 0600, 0));
    say("mq_unlink", syscall(SYS_mq_unlink, "palyra"));
    say("mq_timedsend", syscall(SYS_mq_timedsend, -1, big, 1, 0, 0));
    say("mq_timedreceive", syscall(SYS_mq_timedreceive, -1, big, 1, 0, 0));
    say("mq_notify", syscall(SYS_mq_notify, -1, 0));
    say("mq_getsetattr", syscall(SYS_mq_getsetattr, -1, 0, 0));
    say("memfd_secret", syscall(447, 0));
    say("name_to_handle_at", syscall(SYS_name_to_handle_at, AT_FDCWD, "/", 0, 0, 0));
    say("pidfd_getfd", syscall(438, -1, 0, 0));
    say("mount_setattr", syscall(442, -1, "", 0, big, 32));
    say("open_tree", syscall(428, AT_FDCWD, "/", 1));
    say("unshare_user", unshare(CLONE_NEWUSER));
    say("clone_user", syscall(SYS_clone, 0x10000000L | 0x100000000L | 0xFF00, 0, 0, 0, 0));
    say("personality", syscall(SYS_personality, 0x0040000));
    say("tiocsti", ioctl(0, 0x5412, "x") == 0 || errno != EPERM ? 0 : -1);
    sock("sock_NETLINKAUDIT", 16, SOCK_RAW, 9);
    sock("sock_VSOCK", 40, SOCK_STREAM, 0);
    sock("sock_ALG", 38, SOCK_SEQPACKET, 0);
    sock("sock_PACKET", 17, SOCK_RAW, 0);
    sock("sock_MPTCP", AF_INET, SOCK_STREAM, 262);
    sock("sock_UDPLITE", AF_INET, SOCK_DGRAM, 136);
    return 0;
}
