/* Two counters that move together, the second one step at a time. */
extern int __VERIFIER_nondet_int(void);
void assert(int condition);

int main(void)
{
  unsigned char x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      x += 2;
      y++;
      y++;
    }
    assert(x == y);
  }
  return 0;
}
