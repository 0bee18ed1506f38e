/* Unsafe: the counter of the other file is below 10, and this file's own count is another one. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assert(int);
unsigned advance(unsigned step);

static unsigned count;

int main(void)
{
    while (count < 5) {
        unsigned position = advance(__VERIFIER_nondet_uint());
        count++;
        __VERIFIER_assert(position < 9);
    }
    return 0;
}
