/* The average of two numbers without the overflow. */
extern unsigned int __VERIFIER_nondet_uint(void);
void assert(int condition);

unsigned int average(unsigned int low, unsigned int high)
{
  return low + (high - low) / 2;
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
