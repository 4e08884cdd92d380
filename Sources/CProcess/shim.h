#pragma once

#ifdef __linux__
#include <sys/prctl.h>
#endif

/// Keeps other programs of this user from reading this one's memory, and the system from writing it to a core file.
///
/// Does nothing where the system has no such setting. Swift cannot make the call, which is variadic.
static inline void foyer_forbid_dumps(void) {
#ifdef __linux__
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}
