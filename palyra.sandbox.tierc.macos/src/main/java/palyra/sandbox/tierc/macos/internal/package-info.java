/**
 * Tier C on macOS: {@code sandbox-exec} with a deny-default profile, a watchdog for memory and
 * processor time, and a bridge to the egress proxy. Its profiles are verified by an evaluator in
 * the tests; they were not run on hardware.
 */
package palyra.sandbox.tierc.macos.internal;
