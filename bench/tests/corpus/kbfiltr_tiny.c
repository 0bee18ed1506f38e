/* A request is completed, or passed on and then completed: never twice. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

int completed, passed;

void complete(void)
{
  if (completed)
    __VERIFIER_error();
  completed = 1;
}

int main(void)
{
  int code = __VERIFIER_nondet_int();
  while (__VERIFIER_nondet_int()) {
    completed = 0;
    passed = 0;
    if (code == 3)
      passed = 1;
    else
      complete();
    if (passed && !completed)
      complete();
    code = __VERIFIER_nondet_int();
  }
  return 0;
}
