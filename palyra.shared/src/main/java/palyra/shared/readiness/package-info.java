/** The readiness of the gateway, as bundles read it. */
package palyra.shared.readiness;
