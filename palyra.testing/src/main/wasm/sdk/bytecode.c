/* A small virtual machine that runs a sieve of primes; no library. One large switch (br_table) in a
   loop; division and remainder that cannot trap. */
#include <stdint.h>

enum { HALT, PUSH, LOAD, STORE, PEEK, POKE, ADD, SUB, MUL, DIV, REM, LESS, JUMP, JUMPZ, DUP, XOR };

#define LIMIT 2000

/* Variables: 0 i, 1 j, 2 count, 3 sum. Memory: marks. */
static const int32_t program[] = {
    PUSH, 2, STORE, 0,
    /* 4: while (i < LIMIT) */ LOAD, 0, PUSH, LIMIT, LESS, JUMPZ, 71,
    /* 11: if (mark[i] == 0) */ LOAD, 0, PEEK, JUMPZ, 18, JUMP, 62,
    /* 18: count++ */ LOAD, 2, PUSH, 1, ADD, STORE, 2,
    /* 25: sum = sum * 31 ^ i, j = i * i */ LOAD, 3, PUSH, 31, MUL, LOAD, 0, XOR, STORE, 3,
    LOAD, 0, DUP, MUL, STORE, 1,
    /* 41: while (j < LIMIT) */ LOAD, 1, PUSH, LIMIT, LESS, JUMPZ, 62,
    /* 48: mark[j] = 1, j += i */ LOAD, 1, PUSH, 1, POKE, LOAD, 1, LOAD, 0, ADD, STORE, 1, JUMP, 41,
    /* 62: i++ */ LOAD, 0, PUSH, 1, ADD, STORE, 0, JUMP, 4,
    /* 71 */ HALT};

static int32_t stack[32], variables[4], memory[LIMIT];

static int32_t interpret(void) {
    int pc = 0, sp = 0;
    for (;;) {
        switch (program[pc++]) {
            case HALT: return variables[3];
            case PUSH: stack[sp++] = program[pc++]; break;
            case LOAD: stack[sp++] = variables[program[pc++]]; break;
            case STORE: variables[program[pc++]] = stack[--sp]; break;
            case PEEK: stack[sp - 1] = memory[(uint32_t)stack[sp - 1] % LIMIT]; break;
            case POKE: sp -= 2; memory[(uint32_t)stack[sp] % LIMIT] = stack[sp + 1]; break;
            case ADD: sp--; stack[sp - 1] += stack[sp]; break;
            case SUB: sp--; stack[sp - 1] -= stack[sp]; break;
            case MUL: sp--; stack[sp - 1] = (int32_t)((uint32_t)stack[sp - 1] * (uint32_t)stack[sp]); break;
            case DIV: sp--; stack[sp - 1] = stack[sp] == 0 ? 0 : stack[sp - 1] / stack[sp]; break;
            case REM: sp--; stack[sp - 1] = stack[sp] == 0 ? 0 : stack[sp - 1] % stack[sp]; break;
            case LESS: sp--; stack[sp - 1] = stack[sp - 1] < stack[sp]; break;
            case JUMP: pc = program[pc]; break;
            case JUMPZ: pc = stack[--sp] == 0 ? program[pc] : pc + 1; break;
            case DUP: stack[sp] = stack[sp - 1]; sp++; break;
            case XOR: sp--; stack[sp - 1] ^= stack[sp]; break;
            default: return -1;
        }
    }
}

__attribute__((export_name("run"))) int32_t run(void) {
    int32_t sum = interpret();
    return variables[2] == 303 ? sum : -1;
}
