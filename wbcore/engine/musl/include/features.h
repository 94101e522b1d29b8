// What musl's data include. C libraries other than glibc and musl lack it, and nothing of it is needed.
#if __has_include_next(<features.h>)
#include_next <features.h>
#endif
