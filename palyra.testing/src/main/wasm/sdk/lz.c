/* LZ77 with a hash chain over made-up text, packed and unpacked again; no library. Bytes, hashes,
   memory.copy and memory.fill through builtins. */
#include <stdint.h>

#define SIZE 12288
#define WINDOW 4096
#define SLOTS 4096

static uint8_t plain[SIZE], packed[SIZE * 2], back[SIZE];
static int32_t head[SLOTS];
static int32_t chain[SIZE];

static void make(void) {
    static const char *const words[] = {"gateway ", "skill ",  "policy ", "the ", "a ",
                                        "journal ", "tape\n",  "of ",     "and ", "sandbox "};
    uint32_t state = 12345;
    for (int at = 0; at < SIZE;) {
        state = state * 1664525 + 1013904223;
        for (const char *word = words[(state >> 16) % 10]; *word && at < SIZE; word++) {
            plain[at++] = (uint8_t)*word;
        }
    }
}

static uint32_t slot(int at) {
    uint32_t three = plain[at] | plain[at + 1] << 8 | plain[at + 2] << 16;
    return three * 2654435761u >> 20;
}

static int match(int at, int other) {
    int len = 0;
    while (len < 255 && at + len < SIZE && plain[at + len] == plain[other + len]) len++;
    return len;
}

static int pack(void) {
    int out = 0;
    for (int i = 0; i < SLOTS; i++) head[i] = -1;
    for (int at = 0; at < SIZE;) {
        int best = 0, distance = 0;
        if (at + 3 < SIZE) {
            int tries = 16;
            for (int other = head[slot(at)]; other >= 0 && at - other < WINDOW && tries-- > 0;
                 other = chain[other]) {
                int len = match(at, other);
                if (len > best) {
                    best = len;
                    distance = at - other;
                }
            }
        }
        int end = at + 1;
        if (best >= 4) {
            end = at + best;
            packed[out++] = (uint8_t)best;
            packed[out++] = (uint8_t)(distance >> 8);
            packed[out++] = (uint8_t)distance;
        } else {
            packed[out++] = 0;
            packed[out++] = plain[at];
        }
        for (; at < end; at++) {
            if (at + 3 < SIZE) {
                chain[at] = head[slot(at)];
                head[slot(at)] = at;
            }
        }
    }
    return out;
}

static int unpack(int size) {
    int to = 0;
    for (int at = 0; at < size;) {
        int len = packed[at++];
        if (len == 0) {
            back[to++] = packed[at++];
            continue;
        }
        int distance = packed[at] << 8 | packed[at + 1];
        at += 2;
        for (int i = 0; i < len; i++, to++) back[to] = back[to - distance];
    }
    return to;
}

__attribute__((export_name("run"))) int32_t run(void) {
    make();
    int size = pack();
    __builtin_memset(back, 0xaa, SIZE);
    if (unpack(size) != SIZE) return -1;
    for (int i = 0; i < SIZE; i++) {
        if (back[i] != plain[i]) return -2;
    }
    uint32_t sum = (uint32_t)size;
    for (int i = 0; i < size; i++) sum = (sum ^ packed[i]) * 16777619u;
    __builtin_memcpy(back, plain + 7, SIZE - 7);
    return (int32_t)(sum ^ back[100]);
}
