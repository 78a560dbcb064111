/**
 * Guards on commands: an early, exact and friendly answer, and the facts that policies read. They
 * refuse and never rewrite. They are never the only boundary: what they cannot see, such as paths
 * inside a script, the kernel holds.
 */
package palyra.sandbox.internal.guard;
