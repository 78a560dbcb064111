/* Takes N MiB of memory and touches it: memb N */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int want = argc > 1 ? atoi(argv[1]) : 0;
    int got = 0;
    while (got < want) {
        char *block = malloc(1 << 20);
        if (!block) break;
        memset(block, 1, 1 << 20);
        got++;
    }
    printf("got %d\n", got);
    return 0;
}
