#pragma once

#include <stddef.h>

/* What Swift's Glibc module lacks to run programs on terminals and on pipes.

   This header includes nothing of <spawn.h>, or Swift takes this module for the home of `sigset_t` and others;
   `actions` is a posix_spawn_file_actions_t. */

/* Opens a pseudo-terminal that is not inherited by other programs.
   Returns its master and puts the path of its slave into `slave`, or returns -1 with errno set. */
int cpt_open(char *slave, size_t length);

/* Sets the size of the window; the program in front is told by SIGWINCH. Returns 0, or -1 with errno set. */
int cpt_set_size(int master, unsigned short rows, unsigned short columns);

/* pipe2: both ends are not inherited by other programs. Returns 0, or -1 with errno set. */
int cpt_pipe(int ends[2]);

/* The flag of posix_spawn with which the program leads a session of its own. */
short cpt_spawn_in_own_session(void);

/* The spawned program gets no descriptor from `first` on. Returns 0 or an error number. */
int cpt_spawn_close_from(void *actions, int first);

/* The spawned program starts in `folder`. Returns 0 or an error number. */
int cpt_spawn_in_folder(void *actions, const char *folder);

/* Where the wanted bytes begin first; NULL where they do not stand. */
const void *cpt_find(const void *bytes, size_t count, const void *wanted, size_t wanted_count);
