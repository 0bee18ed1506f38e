/* Locks of the only thread (POSIX pthread_mutex_lock, C11 7.26.4). It gets each one that it does not hold; what happens to one that it
   takes twice depends on its kind. */
int __craig_lock(void *lock, int is_taken)
{
  static void *held[8];
  static int n;
  int at;
  if (__craig_checks_memory()) __craig_read_bytes(lock, 1);
  for (at = 0; at < n && held[at] != lock; at++);
  if (is_taken) {
    if (at < n) __craig_unsupported("a lock that is taken while it is held");
    if (n == 8) __craig_unsupported("more than eight locks at a time");
    held[n++] = lock;
  } else {
    if (at == n) __craig_unsupported("a lock that is given back, but not held");
    n--;
    held[at] = held[n];
  }
  return 0;
}
int pthread_mutex_lock(void *lock) { return __craig_lock(lock, 1); }
int pthread_mutex_trylock(void *lock) { return __craig_lock(lock, 1); }
int pthread_mutex_unlock(void *lock) { return __craig_lock(lock, 0); }
int pthread_spin_lock(void *lock) { return __craig_lock(lock, 1); }
int pthread_spin_trylock(void *lock) { return __craig_lock(lock, 1); }
int pthread_spin_unlock(void *lock) { return __craig_lock(lock, 0); }
int mtx_lock(void *lock) { return __craig_lock(lock, 1); }
int mtx_trylock(void *lock) { return __craig_lock(lock, 1); }
int mtx_unlock(void *lock) { return __craig_lock(lock, 0); }
