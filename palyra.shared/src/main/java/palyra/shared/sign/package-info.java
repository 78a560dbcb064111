/** Verifying signatures without the gateway. Copied privately into each bundle that uses it. */
package palyra.shared.sign;
