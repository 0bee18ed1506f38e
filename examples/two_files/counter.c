/* A counter that wraps. Its state belongs to this file. */
static unsigned count;

unsigned advance(unsigned step)
{
    count = (count + step) % 10;
    return count;
}
