#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int heap[SIZE];
static int count;

static int has_room(void) {
#ifdef FAULT
    return count <= SIZE;
#else
    return count < SIZE;
#endif
}

static void exchange(int a, int b) {
    int kept = heap[a];
    heap[a] = heap[b];
    heap[b] = kept;
}

static int push(int value) {
    if (!has_room()) return 0;
    int at = count++;
    heap[at] = value;
    while (at > 0 && heap[at] < heap[(at - 1) / 2]) {
        exchange(at, (at - 1) / 2);
        at = (at - 1) / 2;
    }
    return 1;
}

static int pop(void) {
    int least = heap[0];
    heap[0] = heap[--count];
    int at = 0, smaller;
    while ((smaller = 2 * at + 1) < count) {
        if (smaller + 1 < count && heap[smaller + 1] < heap[smaller]) smaller++;
        if (heap[at] <= heap[smaller]) break;
        exchange(at, smaller);
        at = smaller;
    }
    return least;
}

int main(void) {
    int pushed = 0;
    count = 0;
    for (int i = 0; i <= SIZE; i++) pushed += push(__VERIFIER_nondet_int());
    assert(pushed == SIZE);
    int last = pop();
    while (count > 0) {
        int next = pop();
        assert(last <= next);
        last = next;
    }
    return 0;
}
