/* Three sorts by comparators through a table, and queens by recursion. */
typedef int (*compare)(unsigned a, unsigned b);
static unsigned numbers[512];
static int up(unsigned a, unsigned b) { return a < b ? -1 : a > b; }
static int down(unsigned a, unsigned b) { return a > b ? -1 : a < b; }
static int bits(unsigned a, unsigned b) { return __builtin_popcount(a) - __builtin_popcount(b); }
static compare volatile orders[3] = {up, down, bits};

static void insertion(int n, compare c) {
    for (int i = 1; i < n; i++) {
        unsigned value = numbers[i];
        int j = i;
        for (; j > 0 && c(numbers[j - 1], value) > 0; j--) numbers[j] = numbers[j - 1];
        numbers[j] = value;
    }
}

static void sift(int from, int n, compare c) {
    for (int child; (child = 2 * from + 1) < n; from = child) {
        if (child + 1 < n && c(numbers[child], numbers[child + 1]) < 0) child++;
        if (c(numbers[from], numbers[child]) >= 0) return;
        unsigned t = numbers[from]; numbers[from] = numbers[child]; numbers[child] = t;
    }
}

static void heap(int n, compare c) {
    for (int i = n / 2; i-- > 0;) sift(i, n, c);
    for (int i = n - 1; i > 0; i--) {
        unsigned t = numbers[0]; numbers[0] = numbers[i]; numbers[i] = t;
        sift(0, i, c);
    }
}

static int queens(unsigned row, unsigned left, unsigned right, unsigned all) {
    if (row == all) return 1;
    int count = 0;
    for (unsigned places = all & ~(row | left | right); places;) {
        unsigned place = places & -places;
        places ^= place;
        count += queens(row | place, (left | place) << 1, (right | place) >> 1, all);
    }
    return count;
}

__attribute__((export_name("run"))) int run(void) {
    unsigned seed = 7, sum = 0;
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 512; i++) numbers[i] = seed = seed * 22695477 + 1;
        if (round & 1) insertion(200, orders[round % 3]);
        else heap(512, orders[round % 3]);
        for (int i = 0; i < 512; i++) sum = sum * 17 + numbers[i];
    }
    return (int) (sum + (unsigned) queens(0, 0, 0, 127));
}
