/* A first-fit allocator over memory.grow, under random allocations, moves and frees. */
typedef unsigned int u32;
typedef struct block { u32 size; struct block *next; } block;
extern unsigned char __heap_base;
static block *free_list;
static u32 top;
static u32 grown;

static void *allocate(u32 size) {
    size = (size + 15) & ~7u;
    block **link = &free_list;
    for (block *b = free_list; b; link = &b->next, b = b->next) {
        if (b->size >= size) { *link = b->next; return b + 1; }
    }
    if (!top) top = ((u32) &__heap_base + 7) & ~7u;
    u32 end = top + size + sizeof(block);
    if (end > __builtin_wasm_memory_size(0) * 65536u) {
        if (__builtin_wasm_memory_grow(0, 1) == (u32) -1) return 0;
        grown++;
    }
    block *b = (block *) top;
    b->size = size;
    top = end;
    return b + 1;
}

static void release(void *p) {
    block *b = (block *) p - 1;
    b->next = free_list;
    free_list = b;
}

__attribute__((export_name("run"))) int run(void) {
    static unsigned char *held[128];
    static u32 sizes[128];
    u32 seed = 12345, sum = 0;
    for (int i = 0; i < 4000; i++) {
        seed = seed * 1664525 + 1013904223;
        u32 slot = (seed >> 16) & 127;
        u32 size = (seed >> 8) & 2047;
        if (held[slot]) {
            sum = sum * 31 + held[slot][sizes[slot] / 2];
            release(held[slot]);
            held[slot] = 0;
        } else if ((held[slot] = allocate(size + 1))) {
            __builtin_memset(held[slot], (int) seed, size + 1);
            if (slot && held[slot - 1] && sizes[slot - 1] < size)
                __builtin_memcpy(held[slot], held[slot - 1], sizes[slot - 1]);
            sizes[slot] = size;
        }
    }
    return (int) (sum + grown);
}
