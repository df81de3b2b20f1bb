/* The program behind words.lackey.gz: counts made-up words in a hash table with open addressing.
 *
 *   gcc -O1 -static -nostdlib -o words words.c
 *   valgrind --tool=lackey --trace-mem=yes --log-file=words.lackey ./words
 *   gzip -9n words.lackey
 *
 * Without a C library, so that all requests are the program's own. */
enum { SLOTS = 1 << 15, WORDS = 3000 };

static unsigned table[SLOTS][2]; /* word, count */

static void count(unsigned word)
{
    unsigned slot = word * 2654435761u >> 17;
    while (table[slot][1] && table[slot][0] != word)
        slot = (slot + 1) % SLOTS;
    table[slot][0] = word;
    table[slot][1]++;
}

void _start(void)
{
    unsigned random = 1;
    for (int i = 0; i < WORDS; i++) {
        random = random * 1664525u + 1013904223u;
        unsigned range = 16u << (random >> 28);
        count((random >> 4) % range);
    }
    __asm__ volatile("syscall" : : "a"(60), "D"(0));
}
