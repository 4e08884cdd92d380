#define _GNU_SOURCE
#include "CPseudoTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cpt_open(char *slave, size_t length) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0) return -1;
    int error = 0;
    if (grantpt(master) || unlockpt(master)) {
        error = errno;
    } else {
        error = ptsname_r(master, slave, length);
    }
    if (error) {
        close(master);
        errno = error;
        return -1;
    }
    return master;
}

int cpt_set_size(int master, unsigned short rows, unsigned short columns) {
    struct winsize size = {.ws_row = rows, .ws_col = columns};
    return ioctl(master, TIOCSWINSZ, &size);
}

int cpt_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

short cpt_spawn_in_own_session(void) { return POSIX_SPAWN_SETSID; }

int cpt_spawn_close_from(void *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int cpt_spawn_in_folder(void *actions, const char *folder) {
    return posix_spawn_file_actions_addchdir_np(actions, folder);
}

const void *cpt_find(const void *bytes, size_t count, const void *wanted, size_t wanted_count) {
    return memmem(bytes, count, wanted, wanted_count);
}
