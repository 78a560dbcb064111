/* Takes N MiB of memory, touches it and holds it for so many seconds: memb N [SECONDS] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int want = argc > 1 ? atoi(argv[1]) : 0;
    int got = 0;
    while (got < want) {
        char *block = malloc(1 << 20);
        if (!block) break;
        memset(block, 1, 1 << 20);
        got++;
    }
    if (argc > 2) sleep(atoi(argv[2]));
    printf("got %d\n", got);
    return 0;
}
