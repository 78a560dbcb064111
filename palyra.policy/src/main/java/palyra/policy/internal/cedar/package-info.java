/**
 * Cedar in Java: policies in Cedar's JSON form are compiled once and evaluated many times. No I/O,
 * no threads, no native code; everything here is immutable once built and may be used by any
 * thread.
 */
package palyra.policy.internal.cedar;
