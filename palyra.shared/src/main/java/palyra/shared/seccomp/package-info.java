/**
 * Filters of system calls for foreign processes, assembled for seccomp(2) without a library. They
 * are lists of classic BPF instructions; the kernel runs them before each system call.
 */
package palyra.shared.seccomp;
