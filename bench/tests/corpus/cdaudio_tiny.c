/* The lock is taken twice after the second request. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int main(void)
{
  int lock = 0, requests = 0;
  while (__VERIFIER_nondet_int()) {
    if (lock)
      __VERIFIER_error();
    lock = 1;
    requests++;
    if (requests != 2)
      lock = 0;
  }
  return 0;
}
