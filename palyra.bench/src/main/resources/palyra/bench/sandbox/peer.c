/*
 * What the benchmarks of sandboxes are measured against: the same work without a JVM.
 *
 *   peer spawn COUNT ARGVFILE [FD:FILE ...]  posix_spawn, wait; nanoseconds of each, one a line.
 *                                            ARGVFILE holds words, each with a NUL behind it; FILE
 *                                            is open at FD, "-" means a place to write to.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WARM 5
#define WORDS 1024

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

int main(int argc, char **argv) {
    if (argc > 3 && strcmp(argv[1], "spawn") == 0) return spawn(argc, argv);
    fprintf(stderr, "usage: peer spawn COUNT ARGVFILE [FD:FILE ...]\n");
    return 2;
}
