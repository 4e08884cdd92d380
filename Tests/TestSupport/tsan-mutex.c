// Linked into builds for the thread sanitizer alone: tells it what Swift's Mutex does where the sanitizer cannot look.
//
// Taking and giving back a free Mutex is compiled into our code, where the sanitizer sees it. Waiting for one that is
// taken lies in libswiftSynchronization, which was built without it; so the order that the lock gives would be missed,
// and every access under a Mutex that two threads wanted at once would count as a race.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Weak, because tools that run during the build are linked with this file and without the sanitizer.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOW);
SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
    static SWIFT void (*real)(uint32_t, SELF void *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, LOCK_SLOW);
    real(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK_SLOW);
SWIFT void unlock_slow(SELF void *mutex) {
    static SWIFT void (*real)(SELF void *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, UNLOCK_SLOW);
    if (__tsan_release) __tsan_release(mutex);
    real(mutex);
}
