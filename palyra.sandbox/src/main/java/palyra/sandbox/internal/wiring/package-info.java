/** Puts sandboxed commands together and ties them to the framework; nothing depends on it. */
package palyra.sandbox.internal.wiring;
