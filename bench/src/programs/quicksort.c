#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int numbers[SIZE];

static void sort(int from, int to) {
    if (to - from < 2) return;
    int pivot = numbers[to - 1], middle = from;
#ifdef FAULT
    for (int i = from + 1; i < to - 1; i++) {
#else
    for (int i = from; i < to - 1; i++) {
#endif
        if (numbers[i] < pivot) {
            int kept = numbers[i];
            numbers[i] = numbers[middle];
            numbers[middle++] = kept;
        }
    }
    numbers[to - 1] = numbers[middle];
    numbers[middle] = pivot;
    sort(from, middle);
    sort(middle + 1, to);
}

int main(void) {
    for (int i = 0; i < SIZE; i++) numbers[i] = __VERIFIER_nondet_int();
    sort(0, SIZE);
    for (int i = 1; i < SIZE; i++) assert(numbers[i - 1] <= numbers[i]);
    return 0;
}
