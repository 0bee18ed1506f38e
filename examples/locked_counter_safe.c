/* A lock that is taken and given back in turns; the counter only moves while it is held. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void)
{
  unsigned char lock = 0;
  unsigned int counter = 0, seen = 0;
  while (__VERIFIER_nondet_int()) {
    if (lock)
      __VERIFIER_error();
    lock = 1;
    seen = counter;
    if (__VERIFIER_nondet_int()) {
      counter++;
      lock = 0;
    }
    if (lock) {
      if (counter != seen)
        __VERIFIER_error();
      lock = 0;
    }
  }
  return 0;
}
