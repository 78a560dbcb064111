/*
 * What the benchmarks of sandboxes are measured against: the same work without a JVM.
 *
 *   peer spawn COUNT ARGVFILE [FD:FILE ...]  posix_spawn, wait; nanoseconds of each, one a line.
 *                                            ARGVFILE holds words, each with a NUL behind it; FILE
 *                                            is open at FD, "-" stands for a place to write to.
 *   peer kill COUNT                          SIGKILL to a process group of 31, till the last is gone
 *   peer tree group|daemons                  31 processes that ignore SIGTERM; says "ready".
 *                                            daemons: 20 of them have left for sessions of their own
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WARM 5
#define WORDS 1024
#define CHILDREN 30
#define DAEMONS 20

static char *nothing[] = {NULL};

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void fail(const char *what, int error) {
    fprintf(stderr, "peer: %s: %s\n", what, strerror(error));
    exit(2);
}

static char **words(const char *file) {
    static char text[1 << 18];
    static char *list[WORDS + 1];
    int fd = open(file, O_RDONLY);
    if (fd < 0) fail(file, errno);
    size_t size = 0;
    ssize_t n;
    while ((n = read(fd, text + size, sizeof text - size)) > 0) size += n;
    close(fd);
    int count = 0;
    for (size_t at = 0; at < size && count < WORDS; at += strlen(text + at) + 1) list[count++] = text + at;
    list[count] = NULL;
    return list;
}

static int spawn(int argc, char **argv) {
    int count = atoi(argv[2]);
    char **command = words(argv[3]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    for (int i = 4; i < argc; i++) {
        char *file = strchr(argv[i], ':') + 1;
        int written = strcmp(file, "-") == 0;
        posix_spawn_file_actions_addopen(&actions, atoi(argv[i]), written ? "/dev/null" : file,
                                         written ? O_WRONLY : O_RDONLY, 0);
    }
    for (int i = -WARM; i < count; i++) {
        pid_t pid;
        int status;
        long long begin = now();
        int error = posix_spawn(&pid, command[0], &actions, NULL, command, nothing);
        if (error != 0) fail(command[0], error);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        long long nanos = now() - begin;
        if (status != 0) {
            fprintf(stderr, "peer: %s ended with status %d\n", command[0], status);
            return 3;
        }
        if (i >= 0) printf("%lld\n", nanos);
    }
    return 0;
}

static int tree(int daemons) {
    int up[2];
    if (pipe(up) < 0) fail("pipe", errno);
    signal(SIGTERM, SIG_IGN);
    for (int i = 0; i < CHILDREN; i++) {
        pid_t pid = fork();
        if (pid < 0) fail("fork", errno);
        if (pid == 0) {
            if (daemons && i < DAEMONS) setsid();
            if (write(up[1], "x", 1) != 1) _exit(1);
            for (;;) pause();
        }
    }
    char byte;
    for (int i = 0; i < CHILDREN; i++)
        if (read(up[0], &byte, 1) != 1) fail("a child", errno);
    if (write(1, "ready\n", 6) != 6) fail("ready", errno);
    for (;;) pause();
}

static int kills(int count, char *self) {
    char *command[] = {self, "tree", "group", NULL};
    for (int i = -WARM; i < count; i++) {
        int out[2];
        if (pipe2(out, O_CLOEXEC) < 0) fail("pipe", errno);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, out[1], 1);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        pid_t pid;
        int error = posix_spawn(&pid, self, &actions, &attributes, command, nothing);
        if (error != 0) fail(self, error);
        close(out[1]);
        char text[6];
        size_t size = 0;
        ssize_t n;
        while (size < 6 && (n = read(out[0], text + size, 6 - size)) > 0) size += n;
        if (size < 6) fail("the tree was not ready", errno);
        long long begin = now();
        kill(-pid, SIGKILL);
        while (read(out[0], text, sizeof text) > 0) {
        }
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
        long long nanos = now() - begin;
        close(out[0]);
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
        if (i >= 0) printf("%lld\n", nanos);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 3 && strcmp(argv[1], "spawn") == 0) return spawn(argc, argv);
    if (argc == 3 && strcmp(argv[1], "kill") == 0) return kills(atoi(argv[2]), argv[0]);
    if (argc == 3 && strcmp(argv[1], "tree") == 0) return tree(strcmp(argv[2], "daemons") == 0);
    fprintf(stderr, "usage: peer spawn COUNT ARGVFILE [FD:FILE ...] | kill COUNT | tree group|daemons\n");
    return 2;
}
