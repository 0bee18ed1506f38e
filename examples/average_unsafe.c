/* The average of two numbers, as everybody writes it first: the sum does not fit. */
extern unsigned int __VERIFIER_nondet_uint(void);
void assert(int condition);

unsigned int average(unsigned int low, unsigned int high)
{
  return (low + high) / 2;
}

int main(void)
{
  unsigned int low = __VERIFIER_nondet_uint();
  unsigned int high = __VERIFIER_nondet_uint();
  if (low <= high) {
    unsigned int middle = average(low, high);
    assert(low <= middle && middle <= high);
  }
  return 0;
}
