/* The program's `main`. It is in C because only `main` is given the arguments for certain: the Swift runtime on Linux
   looks for them in /proc and on the stack, and takes it for no arguments where it does not find them. */

_Noreturn void foyer_main(int count, char **arguments);

int main(int count, char **arguments) { foyer_main(count, arguments); }
