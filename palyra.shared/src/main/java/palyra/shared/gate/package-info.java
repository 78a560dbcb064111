/** Waiting for services that come and go. Copied privately into each bundle that uses it. */
package palyra.shared.gate;
