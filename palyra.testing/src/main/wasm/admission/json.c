/* Writes a JSON text into memory, parses it back and sums it up. */
static char text[16384];
static int length;
static int at;
static int deepest;

static void put(const char *s) { while (*s) text[length++] = *s++; }

static void number(int n) {
    char digits[12];
    int count = 0;
    if (n < 0) { text[length++] = '-'; n = -n; }
    do { digits[count++] = '0' + n % 10; n /= 10; } while (n);
    while (count) text[length++] = digits[--count];
}

static void write_value(int depth, int seed) {
    if (depth == 0) { number(seed * 37 - 500); return; }
    put("{\"name\":\"value ");
    number(seed);
    put("\",\"list\":[");
    for (int i = 0; i < 3; i++) {
        if (i) put(",");
        write_value(depth - 1, seed * 3 + i);
    }
    put("],\"yes\":true,\"none\":null}");
}

static int value(int depth);

static int string(void) {
    int hash = 5381;
    at++;
    while (text[at] != '"') hash = hash * 33 + (unsigned char) text[at++];
    at++;
    return hash;
}

static int members(char close, int depth) {
    int sum = 0;
    at++;
    while (text[at] != close) {
        if (close == '}') { sum ^= string(); at++; }
        sum = sum * 31 + value(depth + 1);
        if (text[at] == ',') at++;
    }
    at++;
    return sum;
}

static int value(int depth) {
    if (depth > deepest) deepest = depth;
    switch (text[at]) {
        case '{': return members('}', depth);
        case '[': return members(']', depth);
        case '"': return string();
        case 't': at += 4; return 1;
        case 'n': at += 4; return 0;
        default: {
            int sign = 1, n = 0;
            if (text[at] == '-') { sign = -1; at++; }
            while (text[at] >= '0' && text[at] <= '9') n = n * 10 + text[at++] - '0';
            return sign * n;
        }
    }
}

__attribute__((export_name("run"))) int run(void) {
    int sum = 0;
    for (int round = 1; round <= 3; round++) {
        length = 0; at = 0;
        write_value(4, round);
        sum = sum * 7 + value(0) + length;
    }
    return sum + deepest;
}
