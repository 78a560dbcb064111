/** What happens to a process from its start to its end: streams, status, kill, clean-up. */
package palyra.sandbox.posix.internal.life;
