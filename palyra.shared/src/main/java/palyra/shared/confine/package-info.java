/** Code that the sandbox backends of POSIX systems share: checks, limits, trial runs. */
package palyra.shared.confine;
