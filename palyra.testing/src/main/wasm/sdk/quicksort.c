/* Quicksort of 4,000 numbers through a pointer to a comparison, then a check; no library. Loads,
   stores, call_indirect, recursion. */
#include <stdint.h>

#define COUNT 4000

static int64_t numbers[COUNT];

static int ascending(int64_t a, int64_t b) { return a < b; }
static int by_low_bits(int64_t a, int64_t b) { return (a & 0xffff) < (b & 0xffff); }

static int (*volatile orders[])(int64_t, int64_t) = {ascending, by_low_bits};

static void sort(int from, int to, int (*before)(int64_t, int64_t)) {
    while (to - from > 12) {
        int64_t pivot = numbers[from + (to - from) / 2];
        int i = from, j = to;
        while (i <= j) {
            while (before(numbers[i], pivot)) i++;
            while (before(pivot, numbers[j])) j--;
            if (i <= j) {
                int64_t swapped = numbers[i];
                numbers[i++] = numbers[j];
                numbers[j--] = swapped;
            }
        }
        if (j - from < to - i) {
            sort(from, j, before);
            from = i;
        } else {
            sort(i, to, before);
            to = j;
        }
    }
    for (int i = from + 1; i <= to; i++) {
        int64_t one = numbers[i];
        int j = i;
        for (; j > from && before(one, numbers[j - 1]); j--) numbers[j] = numbers[j - 1];
        numbers[j] = one;
    }
}

__attribute__((export_name("run"))) int32_t run(void) {
    uint64_t state = 88172645463325252ull;
    uint32_t sum = 0;
    for (int order = 0; order < 2; order++) {
        for (int i = 0; i < COUNT; i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            numbers[i] = (int64_t)state >> 8;
        }
        sort(0, COUNT - 1, orders[order]);
        for (int i = 1; i < COUNT; i++) {
            if (orders[order](numbers[i], numbers[i - 1])) return -1;
            if (order == 0) sum = sum * 31 + (uint32_t)numbers[i];
            else sum = sum * 31 + (uint32_t)(numbers[i] & 0xffff);
        }
    }
    return (int32_t)sum;
}
