/* wasi-libc at work: malloc and free, snprintf with floats, strtod, qsort, memmove, string
   functions. A reactor. The stdio of wasi-libc wants three functions of WASI, which this file
   defines itself, so that nothing is imported. */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wasi/api.h>

__wasi_errno_t __wasi_fd_close(__wasi_fd_t fd) {
    (void)fd;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_seek(
        __wasi_fd_t fd, __wasi_filedelta_t by, __wasi_whence_t from, __wasi_filesize_t *now) {
    (void)fd, (void)by, (void)from, (void)now;
    return __WASI_ERRNO_SPIPE;
}

__wasi_errno_t __wasi_fd_write(
        __wasi_fd_t fd, const __wasi_ciovec_t *parts, size_t count, __wasi_size_t *written) {
    (void)fd, (void)parts, (void)count, (void)written;
    return __WASI_ERRNO_BADF;
}

static uint32_t sum = 2166136261u;

static void add(const char *text) {
    for (; *text; text++) sum = (sum ^ (unsigned char)*text) * 16777619u;
}

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void texts(void) {
    char *all[100];
    for (int i = 0; i < 100; i++) {
        all[i] = malloc(64);
        snprintf(all[i], 64, "%04x|%-8s|%+.6f|%lld", i * 40503 & 0xffff, i % 3 ? "fizz" : "buzz",
                 sqrt(i) / 7, (long long)i * i * i * 1000003);
    }
    qsort(all, 100, sizeof all[0], compare);
    for (int i = 0; i < 100; i++) {
        add(all[i]);
        free(all[i]);
    }
}

static void numbers(void) {
    char text[64];
    double total = 0;
    for (int i = 1; i < 40; i++) {
        snprintf(text, sizeof text, "%.17g", i / 3.0);
        total += strtod(text, NULL);
        snprintf(text, sizeof text, "%e %a", total, total);
        for (char *p = text; *p; p++) *p = (char)toupper((unsigned char)*p);
        add(text);
    }
}

static void heap(void) {
    void *blocks[64] = {0};
    uint32_t state = 7;
    for (int i = 0; i < 800; i++) {
        state = state * 1103515245 + 12345;
        int at = state >> 16 & 63;
        size_t size = (state >> 8 & 1023) + 8;
        char *block = realloc(blocks[at], size);
        if (block == NULL) abort();
        memset(block, (int)(state & 255), size);
        memmove(block + 1, block, size - 1);
        sum = (sum ^ (unsigned char)block[size / 2]) * 16777619u;
        blocks[at] = block;
        if (i % 5 == 0) {
            free(block);
            blocks[at] = NULL;
        }
    }
    for (int i = 0; i < 64; i++) free(blocks[i]);
}

__attribute__((export_name("run"))) int32_t run(void) {
    texts();
    numbers();
    heap();
    return (int32_t)sum;
}
