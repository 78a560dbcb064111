/** What sandbox backends on POSIX systems have in common: checks, limits, trial runs. */
package palyra.shared.confine;
