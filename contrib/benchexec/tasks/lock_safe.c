extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
    int locked = 0;
    while (__VERIFIER_nondet_int()) {
        if (locked) {
            reach_error();
        }
        locked = 1;
        locked = 0;
    }
    return 0;
}
