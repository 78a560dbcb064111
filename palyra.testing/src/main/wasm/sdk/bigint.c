/* 120! by schoolbook multiplication, its decimal digits, and 100 digits of pi by the spigot of
   Rabinowitz and Wagon; no library. 64-bit multiply and divide. */
#include <stdint.h>

#define LIMBS 24
#define DIGITS 100

static uint32_t number[LIMBS];

static uint32_t factorial(uint32_t n) {
    number[0] = 1;
    for (uint32_t i = 2; i <= n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < LIMBS; j++) {
            carry += (uint64_t)number[j] * i;
            number[j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    uint32_t sum = 0;
    for (int digits = 0; digits < 200; digits++) {
        uint64_t rest = 0;
        for (int j = LIMBS - 1; j >= 0; j--) {
            rest = rest << 32 | number[j];
            number[j] = (uint32_t)(rest / 10);
            rest %= 10;
        }
        sum = sum * 131 + (uint32_t)rest;
    }
    return sum;
}

static uint32_t pi(void) {
    static int32_t a[DIGITS * 10 / 3 + 2];
    int len = DIGITS * 10 / 3 + 1;
    uint32_t sum = 0;
    for (int i = 0; i < len; i++) a[i] = 2;
    for (int digit = 0; digit < DIGITS; digit++) {
        int32_t carry = 0;
        for (int i = len - 1; i > 0; i--) {
            int32_t x = a[i] * 10 + carry * (i + 1);
            a[i] = x % (2 * i + 1);
            carry = x / (2 * i + 1);
        }
        int32_t x = a[0] * 10 + carry;
        a[0] = x % 10;
        sum = sum * 31 + (uint32_t)(x / 10);
    }
    return sum;
}

__attribute__((export_name("run"))) int32_t run(void) {
    uint32_t product = factorial(120);
    return (int32_t)(product ^ pi());
}
