/** How a bundle asks whether the gateway is ready. */
package palyra.shared.readiness;
