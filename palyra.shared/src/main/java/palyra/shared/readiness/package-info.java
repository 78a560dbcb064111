/** How bundles find who judges whether the gateway is ready. */
package palyra.shared.readiness;
